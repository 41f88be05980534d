-- What administrators do with the runs of everybody, and what they announce.
alter table runs
  -- An administrator put it before the others.
  add column preferred_at timestamptz;

create table announcements (
  id text primary key,
  kind text not null check (kind in ('info', 'warning')),
  -- By language; empty where it says nothing in that one.
  texts jsonb not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Compared with nothing, so no foreign key.
  made_by text,
  made_at timestamptz not null,
  check (ends_at >= starts_at)
);
create index announcements_ends on announcements (ends_at);

-- Backups that the server makes by itself or when an administrator asks, each in a folder of its own below BACKUP_DIR.
create table backups (
  id text primary key,
  -- Of the folder, without a path.
  name text not null unique,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  -- Null where the plan asked. Compared with nothing, so no foreign key.
  asked_by text,
  asked_at timestamptz not null,
  ended_at timestamptz,
  row_count bigint,
  file_count integer,
  -- Files that no earlier backup had.
  copied_count integer,
  missing_count integer,
  -- Why it failed.
  problem text,
  test_state text check (test_state in ('waiting', 'passed', 'failed')),
  tested_at timestamptz,
  test_problem text
);
create unique index backups_one_open on backups ((true)) where state in ('waiting', 'running');

-- One row: when backups are made, and how many are kept.
create table backup_plan (
  id smallint primary key default 1 check (id = 1),
  every text not null check (every in ('never', 'day', 'week')),
  -- From this hour of the day on, UTC.
  hour smallint not null check (hour between 0 and 23),
  keep smallint not null check (keep between 1 and 100)
);
insert into backup_plan (every, hour, keep) values ('never', 1, 7);
