-- What was begun so often that it is not begun again.
alter table backups add column attempts smallint not null default 0;
