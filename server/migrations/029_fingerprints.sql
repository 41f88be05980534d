-- What pictures look like, and which of them look almost the same.
alter table datasets
  add column leaves_aside boolean not null default false;

alter table dataset_items
  add column aside_part text check (aside_part in ('train', 'validation', 'test')),
  add column kin text,
  add column fingerprint text check (fingerprint ~ '^[0-9a-f]{128}$');

create table dataset_doubles (
  dataset_id text not null references datasets (id) on delete cascade,
  number integer not null,
  position integer not null,
  other_position integer not null,
  distance smallint not null,
  kind text not null check (kind in ('together', 'crossing', 'loose')),
  primary key (dataset_id, number)
);
