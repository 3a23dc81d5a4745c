-- Texts whose vectors are to be sent to an engine outside of the database. Written with the vector, and deleted once the engine has it;
-- empty unless such an engine is used. docs/decisions/0069 explains it.
create table point_texts (
  space_id integer not null,
  content_hash bytea not null,
  primary key (space_id, content_hash)
);
