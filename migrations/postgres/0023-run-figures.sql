-- Requests of a run and bodies received, and when it last did something.
alter table runs add column n_requests integer not null default 0;
alter table runs add column n_downloads integer not null default 0;
alter table runs add column active_at bigint;
alter table run_samples add column requests integer not null default 0;
alter table run_samples add column downloads integer not null default 0;

-- What a run requested from each host. Requests of the current minute (counted since 1970) and of the one before give the
-- rate; delay_ms is that of the host at the end of the run, and null before.
create table run_hosts (
  run_id integer not null,
  host text not null,
  requests integer not null,
  pages integer not null,
  errors integer not null,
  bytes bigint not null,
  last_status integer,
  last_at bigint not null,
  minute integer not null,
  in_minute integer not null,
  in_minute_before integer not null,
  delay_ms integer,
  primary key (run_id, host)
);

-- The newest requests of a URL, newest first: a line each, cut at a length.
alter table frontier add column fetches text;
