-- A trained network applied to images of the cloud that nobody has labelled: no data set stands behind it.
alter table runs
  alter column dataset_id drop not null,
  drop constraint runs_kind_check,
  add constraint runs_kind_check check (kind in ('train', 'test', 'predict')),
  add constraint runs_dataset check ((kind = 'predict') = (dataset_id is null));

-- What was chosen; looked at again before it is read. No foreign key: files may go.
create table run_sources (
  run_id text primary key references runs (id) on delete cascade,
  entry_ids jsonb not null
);

-- Files of which a prediction says nothing.
create table run_set_aside (
  run_id text not null references runs (id) on delete cascade,
  place integer not null,
  name text not null,
  reason text not null,
  primary key (run_id, place)
);
