-- In a run with a maximum depth, only URLs up to this depth are claimed: a level is complete before the next one begins. Null in
-- other runs.
alter table runs add column open_depth integer;
