-- Deleted trainings, tests and predictions go to the recycle station, as projects and files do.
alter table runs add column recycled_at timestamptz;
alter table runs add column clears_at timestamptz;
create index runs_recycled_at on runs (recycled_at) where recycled_at is not null;

-- What everybody reads and changes but the station, the queue and the end of an account: no query can forget the mark. A
-- column that is added to `runs` later needs this view made anew (a test compares the two).
create view live_runs as
select
  id,
  user_id,
  started_by,
  project_id,
  case
    when exists (select from runs parent where parent.id = runs.parent_id and parent.recycled_at is null)
    then runs.parent_id
  end as parent_id,
  kind,
  number,
  task,
  state,
  network,
  own_network_name,
  own_network_version,
  tool,
  dataset_id,
  dataset_name,
  classes,
  hyper,
  validation,
  queued_at,
  preferred_at,
  worker,
  lease_until,
  attempt,
  losses,
  reached,
  reached_at_loss,
  stop_requested,
  stopped_by,
  pause_requested,
  pauses,
  claimed_at,
  busy_seconds,
  quiet_seconds,
  cost,
  foreseen_seconds,
  phase,
  progress,
  metrics,
  per_class,
  confusion,
  counts,
  parameters,
  versions,
  computed_on,
  score,
  preview,
  start_from,
  taken_over,
  error,
  created_at,
  started_at,
  ended_at,
  recycled_at,
  clears_at
from runs
where recycled_at is null;
