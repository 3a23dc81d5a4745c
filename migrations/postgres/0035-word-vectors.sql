-- Static word vector of each chunk's headings and text: a signed byte per dimension. Null if the text has no known word.
alter table chunks add column word_vector bytea check (length(word_vector) = 256);
-- Bytes of a vector do not compress.
alter table chunks alter column word_vector set storage external;
