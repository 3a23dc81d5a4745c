-- How links wrote a URL, where parameters were stripped or reordered: the first few, separated by spaces.
alter table frontier add column aliases text;

-- Events of one kind over all runs.
create index events_of_kind on events (kind, seq);
