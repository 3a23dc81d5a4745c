-- throttles grows with each URL of the host that is throttled for the first time, and shrinks with each response.
alter table hosts add column throttles integer not null default 0;
