-- What members do with all images of a folder, step by step: kept under a name, and given to others.
create table recipes (
  id text primary key,
  owner_id text not null references users on delete cascade,
  name text not null,
  description text not null default '',
  recipe jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index recipes_name on recipes (owner_id, name);

create table recipe_shares (
  recipe_id text not null references recipes on delete cascade,
  user_id text not null references users on delete cascade,
  shared_at timestamptz not null,
  primary key (recipe_id, user_id)
);

create index recipe_shares_user on recipe_shares (user_id);

-- Works on whole folders. Originals stay; what is made lies in a folder of its own.
create table preparations (
  id text primary key,
  owner_id text not null references users on delete cascade,
  work jsonb not null,
  source_id text references files on delete set null,
  source_name text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  failure text,
  result_id text references files on delete set null,
  result_name text not null,
  attempts integer not null default 0,
  lease_until timestamptz,
  reserved_for text references users on delete set null,
  reserved_bytes bigint not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz
);

create index preparations_owner on preparations (owner_id, created_at desc, id desc);
create index preparations_open on preparations (lease_until) where state in ('waiting', 'running');
create index preparations_source on preparations (source_id);
create index preparations_result on preparations (result_id);
create index preparations_reserved on preparations (reserved_for);

-- One file, or those of a group, and what became of it.
create table preparation_items (
  preparation_id text not null references preparations on delete cascade,
  position integer not null,
  file_ids text[] not null,
  -- Below the folder.
  path text not null,
  role text not null check (role in ('image', 'mask', 'labels', 'group', 'copy')),
  state text not null check (state in ('waiting', 'done', 'failed', 'cancelled')),
  reason jsonb,
  before jsonb,
  made jsonb not null default '[]',
  primary key (preparation_id, position)
);
