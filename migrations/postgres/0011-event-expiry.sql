-- The time by which events expire. It follows the clock in steps, so that a clock which was set wrong does not expire them all.
alter table event_head add column expiry_at bigint;

update event_head set expiry_at = (select at from events order by seq desc limit 1);
