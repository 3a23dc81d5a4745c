-- A position that a consumer has saved names the library that it is from. docs/decisions/0065 explains what a position consists of.
alter table change_log add column library_id text not null default '';
update change_log set library_id = substr(replace(cast(gen_random_uuid() as text), '-', ''), 17);

-- The names of versions whose source was removed: their changes outlive them.
create table removed_versions (
  version_id integer primary key,
  source text not null,
  label text not null
);

-- Where changes are sent. position: everything up to it was delivered. state: 0 active, 1 disabled because the receiver answered 410.
-- message_end: the last change of a message that was sent and not confirmed, which is sent again as it was. A process that delivers
-- holds the lease; with an older fence it saves nothing.
create table webhooks (
  id integer primary key generated always as identity,
  name text not null unique,
  url text not null,
  source text,
  secret text not null,
  position bigint not null,
  message_end bigint,
  state smallint not null check (state between 0 and 1),
  created_at bigint not null,
  delivered_at bigint,
  failures integer not null,
  failing_since bigint check ((failing_since is null) = (failures = 0)),
  last_failure text,
  due_at bigint not null,
  worker text,
  lease_until bigint check ((lease_until is null) = (worker is null)),
  fence integer not null
);
