-- Of a data set whose labels were drawn here: which label set, and whose readings count.
alter table datasets add column labelled jsonb;
create index datasets_labelled on datasets ((labelled ->> 'setId')) where labelled is not null;
