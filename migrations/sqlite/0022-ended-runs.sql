-- Why URLs of an ended run got their outcome: the next run takes over the rows of the frontier. outcome is numbered as there.
create table run_reasons (
  run_id integer not null,
  outcome integer not null,
  reason text not null,
  times integer not null,
  example text not null,
  primary key (run_id, outcome, reason)
) strict, without rowid;

-- Progress of a run, every ten seconds at first and then less often. nth counts the ten seconds since its start.
create table run_samples (
  run_id integer not null,
  nth integer not null,
  at integer not null,
  found integer not null,
  queue_size integer not null,
  stored integer not null,
  failed integer not null,
  bytes integer not null,
  primary key (run_id, nth)
) strict, without rowid;
