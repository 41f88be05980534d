-- What a training made of its sample images at earlier checks, to be looked through. So many of the fold under way as
-- `training.previewEpochs` says, spread over its epochs; pictures of one lie in `run_pictures` under `epoch/<epoch>/<item>`.
create table run_previews (
  run_id text not null references runs (id) on delete cascade,
  epoch integer not null,
  fold integer not null,
  items jsonb not null,
  primary key (run_id, epoch)
);
