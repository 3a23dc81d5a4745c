-- The version that a page states for the documented product, and the one that most pages of the source agree on.
alter table pages add column declared_version text;
alter table versions add column declared_version text;
