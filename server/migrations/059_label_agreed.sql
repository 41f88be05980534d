-- A reading that belongs to the set: what its reviewers made of several.
alter table label_readings add column is_agreed boolean not null default false;
create unique index label_readings_agreed on label_readings (item_id) where is_agreed;
