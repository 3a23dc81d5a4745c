-- Static word vector of each chunk's headings and text: a signed byte per dimension. Null if the text has no known word.
alter table chunks add column word_vector blob check (length(word_vector) = 256);
