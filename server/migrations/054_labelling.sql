-- Images of a folder that people mark, with the classes that they mark them as.
create table label_sets (
  id text primary key,
  owner_id text not null references users on delete cascade,
  -- Where the images were found. No foreign key: a set outlives its folder.
  folder_id text not null,
  project_id text references projects on delete set null,
  name text not null,
  description text not null,
  classes jsonb not null,
  -- Removed ones: a step that was made before its page knew brings its class back.
  former_classes jsonb not null default '[]',
  marks jsonb not null,
  one_tag boolean not null,
  blind boolean not null,
  state text not null check (state in ('gathering', 'ready', 'failed')),
  failure text check (failure in ('no_images', 'too_many', 'missing', 'internal')),
  created_at timestamptz not null
);
create index label_sets_owner on label_sets (owner_id, created_at desc);
create index label_sets_project on label_sets (project_id) where project_id is not null;
create index label_sets_gathering on label_sets (created_at) where state = 'gathering';

create table label_readers (
  set_id text not null references label_sets on delete cascade,
  user_id text not null references users on delete cascade,
  permission text not null check (permission in ('read', 'review')),
  added_at timestamptz not null,
  primary key (set_id, user_id)
);
create index label_readers_user on label_readers (user_id);

create table label_items (
  id text primary key,
  set_id text not null references label_sets on delete cascade,
  position integer not null,
  name text not null,
  kind text not null check (kind in ('picture', 'volume', 'video')),
  -- Null until somebody has opened it.
  width integer,
  height integer,
  depth integer,
  -- No longer in the folder; its labels stay.
  is_gone boolean not null default false,
  unique (set_id, name)
);
create index label_items_position on label_items (set_id, position);

-- Bytes of an image: one file, or the slices of a series, with a second file that a header names. They stay as they were.
create table label_sources (
  item_id text not null references label_items on delete cascade,
  role text not null check (role in ('file', 'sibling')),
  place integer not null,
  name text not null,
  sha256 text not null references blobs (sha256),
  size_bytes bigint not null,
  primary key (item_id, role, place)
);
create index label_sources_sha256 on label_sources (sha256);

-- The marks of one reader on one image: nobody else writes into them.
create table label_readings (
  id text primary key,
  item_id text not null references label_items on delete cascade,
  -- Null when that member is gone: the marks stay with the set.
  reader_id text references users on delete set null,
  state text not null check (state in ('open', 'done', 'accepted', 'returned')),
  seq integer not null default 0,
  things integer not null default 0,
  changed_at timestamptz not null,
  unique (item_id, reader_id)
);
create index label_readings_reader on label_readings (reader_id);

create table label_steps (
  reading_id text not null references label_readings on delete cascade,
  seq integer not null,
  step_id text not null,
  stroke text not null,
  tool text not null,
  made_at bigint not null,
  kept_at timestamptz not null,
  -- Of changed pixels the patch lies beside it.
  deed jsonb not null,
  patch bytea,
  primary key (reading_id, seq),
  unique (reading_id, step_id)
);

-- A reading as it was after a step, so that nobody has to replay all of its journal.
create table label_wholes (
  reading_id text not null references label_readings on delete cascade,
  seq integer not null,
  whole bytea not null,
  primary key (reading_id, seq)
);
