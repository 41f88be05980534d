-- Code that members upload. Nothing of it is executed before an administrator approved it.
create table code_uploads (
  id text primary key,
  user_id text not null references users on delete cascade,
  name text not null,
  sha256 text not null references blobs,
  size_bytes bigint not null check (size_bytes > 0),
  -- Those of the five folder names that it has.
  folders jsonb not null,
  files integer not null,
  unpacked_bytes bigint not null,
  state text not null check (state in ('pending_review', 'approved', 'rejected')),
  reason text not null default '',
  -- By which administrator, who is never the member.
  reviewed_by text check (reviewed_by <> user_id),
  reviewed_at timestamptz check ((reviewed_at is null) = (state = 'pending_review')),
  -- Each entry with what was found of it, and how often each was found.
  entries jsonb not null,
  findings jsonb not null,
  -- When the content of its files was looked through; null = not yet.
  inspected_at timestamptz,
  uploaded_at timestamptz not null
);
create index code_uploads_user on code_uploads (user_id, uploaded_at);
create index code_uploads_state on code_uploads (state, uploaded_at);
create index code_uploads_sha256 on code_uploads (sha256);

-- Runs of approved code in the sandbox.
create table code_runs (
  id text primary key,
  upload_id text not null references code_uploads on delete cascade,
  path text not null,
  state text not null check (state in ('queued', 'running', 'ended', 'refused')),
  outcome text,
  exit_code integer,
  -- What the machine lacked, where it was refused.
  missing jsonb not null default '[]',
  printed text not null default '',
  output jsonb not null default '[]',
  -- By which administrator.
  started_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state in ('queued', 'running')))
);
create index code_runs_upload on code_runs (upload_id, started_at);
-- One at a time of one upload.
create unique index code_runs_open on code_runs (upload_id) where state in ('queued', 'running');
