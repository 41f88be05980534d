-- One row: the newest time that deletions were decided by, and where an unconfirmed jump of the clock led to.
create table clock (
  id smallint primary key default 1 check (id = 1),
  newest timestamptz not null,
  jumped_to timestamptz
);
insert into clock (newest) values (now());

-- The kinds stand in the contract, by which every writer is typed: a second list here would only have to be kept the same.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind ~ '^[a-z_]+$');
