-- What the member decided where the folder of a data set can be read in several ways.
alter table datasets add column reading jsonb not null default '{"patients":null,"labels":null,"classNames":{},"window":null}';
