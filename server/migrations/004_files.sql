create table files (
  id text primary key,
  owner_id text not null references users on delete cascade,
  parent_id text references files on delete cascade,
  kind text not null check (kind in ('folder', 'file')),
  name text not null,
  search_name text not null,
  sort_name text not null,
  sha256 text references blobs,
  size_bytes bigint not null default 0 check (size_bytes >= 0),
  file_count integer not null default 0 check (file_count >= 0),
  modified_at timestamptz not null,
  modified_by text references users on delete set null,
  recycled_at timestamptz,
  constraint files_bytes check ((kind = 'file') = (sha256 is not null))
);

create unique index files_live_name
  on files (owner_id, coalesce(parent_id, ''), name)
  where recycled_at is null;

create index files_listing
  on files (owner_id, coalesce(parent_id, ''), kind, sort_name, id)
  where recycled_at is null;

create index files_parent on files (parent_id);
create index files_sha256 on files (sha256);
create index files_modified_by on files (modified_by);
create index files_recycled_at on files (recycled_at) where recycled_at is not null;

create table uploads (
  id text primary key,
  owner_id text not null references users on delete cascade,
  parent_id text references files on delete cascade,
  name text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  received_bytes bigint not null default 0,
  same_name text not null check (same_name in ('overwrite', 'skip', 'rename')),
  touched_at timestamptz not null,
  done_at timestamptz,
  constraint uploads_received check (received_bytes between 0 and size_bytes)
);

create index uploads_owner on uploads (owner_id);
create index uploads_parent on uploads (parent_id);
create index uploads_touched_at on uploads (touched_at);
