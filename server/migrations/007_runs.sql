create table run_numbers (
  project_id text primary key references projects on delete cascade,
  last integer not null
);

create table runs (
  id text primary key,
  user_id text not null references users on delete cascade,
  project_id text not null references projects on delete cascade,
  parent_id text references runs on delete set null,
  kind text not null check (kind in ('train', 'test')),
  number integer not null,
  task text not null check (task in ('classification', 'segmentation')),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'stopped', 'failed')),
  network text not null,
  dataset_id text not null,
  dataset_name text not null,
  classes jsonb not null,
  hyper jsonb not null,
  validation jsonb not null,
  queued_at timestamptz not null default now(),
  worker text,
  lease_until timestamptz,
  attempt integer not null default 0,
  losses integer not null default 0,
  reached bigint not null default 0,
  reached_at_loss bigint not null default 0,
  stop_requested boolean not null default false,
  phase text,
  progress jsonb,
  metrics jsonb not null default '{}',
  per_class jsonb not null default '[]',
  confusion jsonb,
  counts jsonb,
  parameters integer,
  score double precision,
  preview jsonb,
  error jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint runs_number unique (project_id, number),
  constraint runs_held check ((state = 'running') = (worker is not null and lease_until is not null)),
  constraint runs_ended check ((state in ('done', 'stopped', 'failed')) = (ended_at is not null)),
  constraint runs_failed check ((state = 'failed') = (error is not null))
);

create index runs_user on runs (user_id, started_at);
create index runs_parent on runs (parent_id);
create index runs_waiting on runs (user_id, queued_at) where state = 'queued';
create index runs_lease on runs (lease_until) where state = 'running';

create table run_inputs (
  run_id text primary key references runs on delete cascade,
  plan jsonb not null,
  plan_hash text not null,
  manifest_sha256 text not null references blobs,
  weights_sha256 text references blobs,
  part text check (part in ('held-out', 'all'))
);

create index run_inputs_manifest on run_inputs (manifest_sha256);
create index run_inputs_weights on run_inputs (weights_sha256);

create table run_curves (
  run_id text not null references runs on delete cascade,
  fold integer not null,
  epoch integer not null,
  split text not null check (split in ('train', 'validation')),
  numbers jsonb not null,
  primary key (run_id, fold, epoch, split)
);

create table run_folds (
  run_id text not null references runs on delete cascade,
  fold integer not null,
  per_class jsonb not null,
  confusion jsonb,
  primary key (run_id, fold)
);

create table run_artifacts (
  run_id text not null references runs on delete cascade,
  kind text not null check (kind in ('weights', 'onnx', 'predictions_csv', 'masks_zip')),
  sha256 text not null references blobs,
  size_bytes bigint not null,
  primary key (run_id, kind)
);

create index run_artifacts_sha256 on run_artifacts (sha256);

create table run_items (
  run_id text not null references runs on delete cascade,
  item_id text not null,
  place integer not null,
  score double precision,
  wrong boolean not null,
  result jsonb not null,
  primary key (run_id, item_id)
);

create index run_items_score on run_items (run_id, score, place);

create table run_pictures (
  run_id text not null references runs on delete cascade,
  name text not null,
  sha256 text not null references blobs,
  primary key (run_id, name)
);

create index run_pictures_sha256 on run_pictures (sha256);

create table run_devices (
  worker text primary key,
  device jsonb not null,
  seen_at timestamptz not null
);
