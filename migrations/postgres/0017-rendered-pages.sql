-- The browser that rendered a page, such as 'chromium 156.0.8078.79'; null for a page that was stored as it was fetched.
alter table documents add column rendered_by text;
