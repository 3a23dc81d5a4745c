-- When the URLs that a stopping run still has in flight are dropped; null if it waits for them.
alter table runs add column aborts_at integer;

-- URLs of the run that one worker may have in flight; null without a limit of its own.
alter table runs add column concurrency integer;
