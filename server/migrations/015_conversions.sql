-- What was found out about bytes that somebody wanted to see, and what was made of them; made anew when it is gone.
create table views (
  key text primary key,
  state text not null check (state in ('ready', 'refused')),
  answer jsonb not null,
  made text,
  made_bytes bigint not null default 0,
  used_at timestamptz not null,
  created_at timestamptz not null
);

create index views_used_at on views (used_at);

create table view_sources (
  key text not null references views on delete cascade,
  sha256 text not null references blobs on delete cascade,
  primary key (key, sha256)
);

create index view_sources_sha256 on view_sources (sha256);

-- To which series each looked-at file belongs; null = it is no DICOM file, or does not say.
create table dicom_places (
  sha256 text primary key references blobs on delete cascade,
  series_uid text,
  description text not null default '',
  is_image boolean not null default false
);

create table conversions (
  id text primary key,
  owner_id text not null references users on delete cascade,
  source_ids text[] not null,
  format text not null,
  options jsonb not null,
  state text not null check (state in ('waiting', 'converting', 'done', 'failed', 'cancelled')),
  failure text,
  attempts integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);

create index conversions_owner on conversions (owner_id, created_at desc, id desc);
create index conversions_open on conversions (lease_until) where state in ('waiting', 'converting');

create table conversion_items (
  conversion_id text not null references conversions on delete cascade,
  position integer not null,
  file_ids text[] not null,
  source_id text references files on delete set null,
  source_name text not null,
  state text not null check (state in ('waiting', 'converting', 'done', 'failed', 'cancelled')),
  reason jsonb,
  result_id text references files on delete set null,
  result_name text not null default '',
  result_kind text not null default 'file' check (result_kind in ('file', 'folder')),
  result_files integer not null default 0,
  checks jsonb not null default '[]',
  -- Set aside in this member's space while the item is under way.
  reserved_for text references users on delete set null,
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  primary key (conversion_id, position)
);

create index conversion_items_source on conversion_items (source_id);
create index conversion_items_result on conversion_items (result_id);
create index conversion_items_reserved on conversion_items (reserved_for);
