-- Runs that pause, what runs cost, and trainings that begin with the weights of an earlier one.
alter table runs drop constraint runs_state_check;
alter table runs add constraint runs_state_check
  check (state in ('queued', 'running', 'paused', 'done', 'stopped', 'failed'));

alter table runs
  add column stopped_by text,
  add column pause_requested boolean not null default false,
  add column pauses integer not null default 0,
  add column claimed_at timestamptz,
  add column busy_seconds double precision not null default 0,
  add column work double precision,
  add column start_from jsonb,
  add column taken_over jsonb;

update runs set claimed_at = started_at where state = 'running';

-- Forecasts look at what ended lately.
create index runs_measured on runs (ended_at) where state = 'done' and work is not null;
