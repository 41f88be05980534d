-- Names in archives follow the archive, not the language of whoever unpacks it: what a person chose; null = the likeliest.
alter table unpacks drop column language;
alter table unpacks add column encoding text;
alter table uploads add column encoding text;
