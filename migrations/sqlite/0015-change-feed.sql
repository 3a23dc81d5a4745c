-- A position that a consumer has saved names the library that it is from. docs/decisions/0065 explains what a position consists of.
alter table change_log add column library_id text not null default '';
update change_log set library_id = lower(hex(randomblob(8)));

-- The names of versions whose source was removed: their changes outlive them.
create table removed_versions (
  version_id integer primary key,
  source text not null,
  label text not null
) strict;

-- Where changes are sent. position: everything up to it was delivered. state: 0 active, 1 disabled because the receiver answered 410.
-- message_end: the last change of a message that was sent and not confirmed, which is sent again as it was. A process that delivers
-- holds the lease; with an older fence it saves nothing.
create table webhooks (
  id integer primary key autoincrement,
  name text not null unique,
  url text not null,
  source text,
  secret text not null,
  position integer not null,
  message_end integer,
  state integer not null check (state between 0 and 1),
  created_at integer not null,
  delivered_at integer,
  failures integer not null,
  failing_since integer check ((failing_since is null) = (failures = 0)),
  last_failure text,
  due_at integer not null,
  worker text,
  lease_until integer check ((lease_until is null) = (worker is null)),
  fence integer not null
) strict;
