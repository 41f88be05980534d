-- Studies of 4D flow: files of the cloud, or a known flow, in the one form that all of them take. Looked at, settled by
-- their owner, then made: the file that comes of it is there exactly while a study is ready.
create table flow_studies (
  id text primary key,
  owner_id text not null references users on delete cascade,
  name text not null,
  -- As chosen; which files these come to is worked out by the job.
  source_ids text[] not null,
  from_id text references files on delete set null,
  phantom jsonb,
  step text not null check (step in ('look', 'make')),
  state text not null check (state in ('waiting', 'running', 'asked', 'failed', 'ready')),
  failure text,
  problems jsonb not null default '[]',
  look jsonb,
  -- Over names and bytes of all files that were looked at: a study is made of no others.
  seen text,
  answer jsonb,
  head jsonb,
  sha256 text references blobs,
  size_bytes bigint not null default 0,
  attempts integer not null default 0,
  lease_until timestamptz,
  reserved_bytes bigint not null default 0,
  created_at timestamptz not null,
  check ((state = 'ready') = (sha256 is not null))
);

create index flow_studies_owner on flow_studies (owner_id, created_at desc, id desc);
create index flow_studies_open on flow_studies (lease_until) where state in ('waiting', 'running');
create index flow_studies_from on flow_studies (from_id);
create index flow_studies_sha256 on flow_studies (sha256);
