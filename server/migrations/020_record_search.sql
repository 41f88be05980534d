-- In lower case as the server makes it: the database's own knows only plain letters, depending on where it runs.
alter table file_records add column search_name text not null default '';
update file_records set search_name = lower(name);
