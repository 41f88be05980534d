-- What makes a test's figures defensible: intervals, curves, calibration. Apart from runs, which lists read whole.
create table run_evidence (
  run_id text primary key references runs (id) on delete cascade,
  evidence jsonb not null
);
