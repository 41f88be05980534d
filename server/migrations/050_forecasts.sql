-- What runs compute by what costs time, what they would have taken alone, what was foreseen; and how busy others are.
drop index runs_measured;
alter table runs
  drop column work,
  add column cost jsonb,
  add column quiet_seconds double precision,
  add column foreseen_seconds double precision;
alter table run_devices add column others double precision not null default 0;

create index runs_measured on runs (ended_at) where state = 'done' and cost is not null;
