create table projects (
  id text primary key,
  owner_id text not null references users on delete cascade,
  name text not null,
  description text not null default '',
  task text not null check (task in ('classification', 'segmentation')),
  visibility text not null default 'private' check (visibility in ('private', 'public', 'shared')),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  recycled_at timestamptz
);

create unique index projects_live_name on projects (owner_id, name) where recycled_at is null;
create index projects_recycled_at on projects (recycled_at) where recycled_at is not null;
