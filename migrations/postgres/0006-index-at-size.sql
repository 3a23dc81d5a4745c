-- What the indexer needs so that no step grows with the index: live pages are counted on the segment, segments are found by
-- their state, and queued pages by their version.

-- Pages whose current position is in the segment. Only a hint for what to merge: a merge reads the positions themselves.
alter table search_segments add column live integer not null default 0;

update search_segments set live = (select count(*) from search_pages where search_pages.segment_id = search_segments.id);

create index search_segments_state on search_segments (state, id);

create index index_queue_version on index_queue (version_id, enqueued_at, url_key);
