alter table files add column type text not null default '';
update files set type = coalesce(lower((regexp_match(name, '^.+\.([^.]*)$'))[1]), '') where kind = 'file';
alter table files add column public_at timestamptz;
create index files_public on files (public_at desc) where public_at is not null;

create table file_groups (
  id text primary key,
  owner_id text not null references users on delete cascade,
  number text not null unique check (number ~ '^[0-9]{6,12}$'),
  name text not null,
  about text not null,
  password_hash text,
  created_at timestamptz not null
);

create index file_groups_owner on file_groups (owner_id);

create table file_group_members (
  group_id text not null references file_groups on delete cascade,
  user_id text not null references users on delete cascade,
  joined_at timestamptz not null,
  primary key (group_id, user_id)
);

create index file_group_members_user on file_group_members (user_id);

create table file_shares (
  id text primary key,
  entry_id text not null references files on delete cascade,
  owner_id text not null references users on delete cascade,
  user_id text references users on delete cascade,
  group_id text references file_groups on delete cascade,
  permission text not null check (permission in ('view', 'edit')),
  shared_at timestamptz not null,
  constraint file_shares_recipient check ((user_id is null) <> (group_id is null)),
  constraint file_shares_not_self check (user_id is distinct from owner_id)
);

create unique index file_shares_user on file_shares (user_id, entry_id) where user_id is not null;
create unique index file_shares_group on file_shares (group_id, entry_id) where group_id is not null;
create index file_shares_entry on file_shares (entry_id);
create index file_shares_owner on file_shares (owner_id);

create table file_links (
  id text primary key,
  entry_id text not null references files on delete cascade,
  owner_id text not null references users on delete cascade,
  token_hash text not null unique,
  password_hash text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  opened integer not null default 0,
  last_opened_at timestamptz
);

create index file_links_entry on file_links (entry_id);
create index file_links_owner on file_links (owner_id);
create index file_links_expires_at on file_links (expires_at);

create table file_records (
  id bigserial primary key,
  owner_id text not null references users on delete cascade,
  actor_id text references users on delete set null,
  action text not null,
  entry_id text,
  name text not null,
  detail jsonb not null,
  at timestamptz not null
);

create index file_records_owner on file_records (owner_id, id desc);
create index file_records_actor on file_records (actor_id, id desc);
create index file_records_at on file_records (at);
