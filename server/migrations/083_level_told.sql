-- Of the end of a member's level: how many days before it the last message was; null = none yet of this end.
alter table users add column level_told smallint;
