-- Velocity super-resolution: trainings on known flows, which have settings but neither data set nor division, and studies
-- that a network made finer.
alter table runs
  drop constraint runs_kind_check,
  drop constraint runs_dataset,
  drop constraint runs_learned,
  add constraint runs_kind_check check (kind in ('train', 'test', 'predict', 'flow', 'flow_train')),
  add constraint runs_dataset check ((kind in ('predict', 'flow', 'flow_train')) = (dataset_id is null)),
  add constraint runs_learned check (
    (kind in ('flow', 'flow_train')) = (task = 'flow')
    and (kind = 'flow') = (hyper is null)
    and (kind in ('flow', 'flow_train')) = (validation is null)
  );

-- What such a training reads, all of it, and what came of it.
create table run_flow_training (
  run_id text primary key references runs on delete cascade,
  asked jsonb not null,
  plan jsonb not null,
  plan_hash text not null,
  -- Of a network of the member's own: its document as it was then.
  network_text text,
  results jsonb
);

-- Of a study that a network makes finer: by which, of which run. The second file is the same by interpolation alone; both
-- count in `size_bytes`.
alter table flow_studies
  add column sharpened jsonb,
  add column interpolated_sha256 text references blobs,
  add check ((state = 'ready' and sharpened is not null) = (interpolated_sha256 is not null));

create index flow_studies_interpolated on flow_studies (interpolated_sha256);

-- What is read for it, until it is ready: run and training may be deleted meanwhile.
create table flow_sharpenings (
  study_id text primary key references flow_studies on delete cascade,
  study_sha256 text not null references blobs,
  mask_sha256 text not null references blobs,
  weights_sha256 text not null references blobs,
  plan jsonb not null,
  -- Times frames, at most.
  voxels bigint not null
);

create index flow_sharpenings_study on flow_sharpenings (study_sha256);
create index flow_sharpenings_mask on flow_sharpenings (mask_sha256);
create index flow_sharpenings_weights on flow_sharpenings (weights_sha256);
