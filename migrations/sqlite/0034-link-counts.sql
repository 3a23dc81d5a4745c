-- How many pages of the source link to a page, counted at the end of a run. Pages that many others link to rank higher.
alter table pages add column inlinks integer not null default 0;
