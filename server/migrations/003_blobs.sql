create table blobs (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  facts jsonb,
  reason text,
  checked_at timestamptz,
  created_at timestamptz not null default now()
);

create index blobs_created_at on blobs (created_at);
