-- Texts burned into pictures: searches, what was found in each picture, and copies without them. What was read is a
-- patient's data: it goes with its search.
create table text_scans (
  id text primary key,
  owner_id text not null references users on delete cascade,
  source_ids text[] not null,
  step text not null check (step in ('seek', 'copy')),
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  failure text,
  folder_id text references files on delete set null,
  attempts integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);

create index text_scans_owner on text_scans (owner_id, created_at desc, id desc);
create index text_scans_open on text_scans (lease_until) where state in ('waiting', 'running');
create index text_scans_folder on text_scans (folder_id);

create table text_pictures (
  scan_id text not null references text_scans on delete cascade,
  position integer not null,
  source_id text references files on delete set null,
  source_name text not null,
  -- Of the bytes that were looked at: copies are made of no others.
  source_sha256 text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  reason jsonb,
  width integer,
  height integer,
  frames integer,
  regions jsonb not null default '[]',
  -- Of the least sure place; pages show these pictures first.
  doubt integer not null default 0,
  confirmed_at timestamptz,
  copy_id text references files on delete set null,
  copy_name text not null default '',
  copy_sha256 text,
  copy_left integer not null default 0,
  copy_names_patient boolean not null default false,
  primary key (scan_id, position)
);

create index text_pictures_source on text_pictures (source_id);
create index text_pictures_copy on text_pictures (copy_id);
