-- 4D flow in projects: studies that belong to them, and runs that compute instead of learning. Such a run has neither
-- data set nor settings of a training.
alter table projects
  drop constraint projects_task_check,
  add constraint projects_task_check check (task in (
    'classification', 'multilabel', 'segmentation', 'volume_segmentation', 'detection', 'super_resolution',
    'denoising', 'flow'
  ));

alter table runs
  alter column hyper drop not null,
  alter column validation drop not null,
  drop constraint runs_kind_check,
  drop constraint runs_task_check,
  drop constraint runs_dataset,
  add constraint runs_kind_check check (kind in ('train', 'test', 'predict', 'flow')),
  add constraint runs_task_check check (task in (
    'classification', 'multilabel', 'segmentation', 'volume_segmentation', 'detection', 'super_resolution',
    'denoising', 'flow'
  )),
  add constraint runs_dataset check ((kind in ('predict', 'flow')) = (dataset_id is null)),
  add constraint runs_learned check (
    (kind = 'flow') = (task = 'flow') and (kind = 'flow') = (hyper is null) and (kind = 'flow') = (validation is null)
  );

create table flow_project_studies (
  project_id text not null references projects on delete cascade,
  study_id text not null references flow_studies on delete cascade,
  added_at timestamptz not null,
  primary key (project_id, study_id)
);

create index flow_project_studies_study on flow_project_studies (study_id);

-- What a flow run reads and what came of it. No foreign key to the study: a run outlives it, and keeps its bytes.
create table run_flow (
  run_id text primary key references runs on delete cascade,
  study_id text not null,
  study_name text not null,
  study_sha256 text not null references blobs,
  head jsonb not null,
  -- Of the mask that was chosen.
  mask_sha256 text references blobs,
  asked jsonb not null,
  results jsonb,
  corrected_head jsonb,
  mass_balance jsonb,
  -- Of measuring planes; `asked_at` is the number of attempts when they were kept.
  state text not null default 'idle' check (state in ('idle', 'waiting', 'running')),
  attempts integer not null default 0,
  asked_at integer not null default 0,
  lease_until timestamptz
);

create index run_flow_study on run_flow (study_sha256);
create index run_flow_mask on run_flow (mask_sha256);
create index run_flow_open on run_flow (lease_until) where state in ('waiting', 'running');

-- Planes that are kept with a run; `told`: what the engine measured of one.
create table flow_sections (
  run_id text not null references runs on delete cascade,
  place integer not null,
  section jsonb not null,
  told jsonb,
  primary key (run_id, place)
);

-- Pictures that a run's report shows.
create table flow_figures (
  id text primary key,
  run_id text not null references runs on delete cascade,
  caption text not null,
  sha256 text not null references blobs,
  size_bytes bigint not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null
);

create index flow_figures_run on flow_figures (run_id, created_at);
create index flow_figures_sha256 on flow_figures (sha256);
