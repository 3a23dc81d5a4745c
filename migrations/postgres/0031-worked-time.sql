-- Milliseconds that coordinators have worked on the run, by their monotonic clocks: pauses and jumps of the wall clock are not in it.
alter table runs add column worked_ms bigint not null default 0;
