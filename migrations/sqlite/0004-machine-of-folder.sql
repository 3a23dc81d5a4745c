-- The machine that has the files of a folder, if processes on other machines use the same database.
alter table sources add column machine text;
