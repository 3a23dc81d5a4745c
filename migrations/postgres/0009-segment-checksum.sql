-- Sum of the checksums of a segment's postings, so that lost or damaged ones are found. Null for a segment that was written before.
alter table search_segments add column checksum bigint;
