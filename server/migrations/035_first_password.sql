-- True for a password that stood in the output of a start: nothing else can be done before it is changed.
alter table users add column must_change_password boolean not null default false;

-- The code's own type names the kinds; listed here they had to be repeated with each new one.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind ~ '^[a-z_]+$');
