-- Whose upload it is; `owner_id` stays the cloud that it goes to. They differ in folders shared for editing.
alter table uploads add column member_id text references users on delete cascade;
update uploads set member_id = owner_id;
alter table uploads alter column member_id set not null;
alter table uploads add column batch text not null default '';
alter table uploads add column path text not null default '';
update uploads set batch = id, path = name;
-- The folder that was chosen; it may be gone by now. Null = the top.
alter table uploads add column base_id text;
alter table uploads add column unpack text not null default 'no' check (unpack in ('no', 'unpack', 'packed'));
alter table uploads add column started_at timestamptz not null default now();

create index uploads_member on uploads (member_id, batch);

create table unpacks (
  id text primary key,
  owner_id text not null references users on delete cascade,
  member_id text not null references users on delete cascade,
  file_id text references files on delete set null,
  folder_id text references files on delete set null,
  name text not null,
  -- Null once nothing is read of it any more.
  sha256 text references blobs,
  language text not null,
  mode text not null check (mode in ('unpack', 'packed', 'asked')),
  state text not null check (state in ('waiting', 'working', 'done', 'failed')),
  failure text,
  params jsonb not null default '{}',
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  done_entries integer not null default 0,
  done_files integer not null default 0,
  total_files integer not null default 0,
  done_bytes bigint not null default 0,
  total_bytes bigint not null default 0,
  report jsonb not null default '{"leftOut": [], "leftOutCount": 0, "renamed": []}',
  stop_asked boolean not null default false,
  lease_until timestamptz,
  attempts integer not null default 0,
  worked_ms bigint not null default 0,
  dismissed boolean not null default false,
  created_at timestamptz not null,
  ended_at timestamptz
);

create index unpacks_owner on unpacks (owner_id);
create index unpacks_member on unpacks (member_id, created_at desc);
create index unpacks_file on unpacks (file_id);
create index unpacks_folder on unpacks (folder_id);
create index unpacks_sha256 on unpacks (sha256);
create index unpacks_open on unpacks (lease_until) where state in ('waiting', 'working');
create unique index unpacks_once on unpacks (file_id) where state in ('waiting', 'working');
