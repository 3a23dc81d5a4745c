-- Lists that were made by reading a whole version: pages in the order of their URLs, pipeline versions, reasons of outcomes.
create index pages_url on pages (version_id, url);

create index pages_pipeline on pages (version_id, pipeline_version, url_key) where alias_key is null;

create index frontier_reasons on frontier (run_id, outcome, reason, url_key) where reason is not null and state >= 3;
