-- The end of a run confirms its missing URLs in batches by key, without sorting the rest for each batch.
drop index frontier_missing;
create index frontier_missing on frontier (run_id, url_key) where outcome = 4;
