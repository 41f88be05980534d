-- Members who wish an e-mail when a long run of theirs has ended.
alter table users add column run_mail boolean not null default false;
