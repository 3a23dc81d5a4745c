-- A vector whose space has a table is stored there only: `vector` is then empty. It is not null because earlier programs read it
-- during an upgrade. Those with bytes, of earlier programs or from a time without pgvector, are found by this index and moved.
create index vectors_with_bytes on vectors (space_id, seq) where length(vector) > 0;
