-- Vectors: texts are queued in a new space in steps, the progress of a space is counted, imported vectors are marked.

-- Chunks up to this key have been queued in the space; null when all of them have.
alter table spaces add column queued_pk integer;

-- The version whose bundle carried the vector; null for a vector that was computed here.
alter table embeddings add column carried_by integer;

create index embeddings_carried on embeddings (content_hash) where carried_by is not null;

-- Texts of a space by state. Written by triggers, so that no writer can forget it; the sum of the rows of a space counts.
create table space_counts (
  space_id integer not null,
  pending integer not null,
  embedded integer not null,
  failed integer not null
) strict;

create index space_counts_space on space_counts (space_id);

insert into space_counts (space_id, pending, embedded, failed)
  select s.id, (select count(*) from embeddings e where e.space_id = s.id and e.state in (0, 1)),
    (select count(*) from embeddings e where e.space_id = s.id and e.state = 2),
    (select count(*) from embeddings e where e.space_id = s.id and e.state = 3) from spaces s;

create trigger spaces_added after insert on spaces begin insert into space_counts (space_id, pending, embedded, failed) values (new.id, 0, 0, 0); end;

create trigger embeddings_added after insert on embeddings begin update space_counts set pending = pending + (new.state in (0, 1)), embedded = embedded + (new.state = 2), failed = failed + (new.state = 3) where space_id = new.space_id; end;

create trigger embeddings_deleted after delete on embeddings begin update space_counts set pending = pending - (old.state in (0, 1)), embedded = embedded - (old.state = 2), failed = failed - (old.state = 3) where space_id = old.space_id; end;

create trigger embeddings_changed after update of state on embeddings when max(old.state, 1) <> max(new.state, 1) begin update space_counts set pending = pending + (new.state in (0, 1)) - (old.state in (0, 1)), embedded = embedded + (new.state = 2) - (old.state = 2), failed = failed + (new.state = 3) - (old.state = 3) where space_id = new.space_id; end;
