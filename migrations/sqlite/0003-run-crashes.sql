-- crashes: coordinators in a row that lost the run without progress. crash_progress: what the run had found and settled at the
-- last crash.
alter table runs add column crashes integer not null default 0;
alter table runs add column crash_progress integer not null default -1;
