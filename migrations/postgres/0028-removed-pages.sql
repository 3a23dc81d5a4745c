-- The last text of pages that were removed, the newest few of a version. A page that returned is in pages too, and its row here
-- is replaced if it is removed again. text is null if it was too long to keep.
create table removed_pages (
  version_id integer not null,
  url_key bytea not null,
  removed_at bigint not null,
  since_at bigint not null,
  title text not null,
  text text,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key) on delete cascade
);

create index removed_pages_by_age on removed_pages (version_id, removed_at);
