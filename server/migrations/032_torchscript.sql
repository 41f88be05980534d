-- What a run may leave is told by the contract's schema, by which every event of the engine is read: the table keeps to
-- the form of the name.
alter table run_artifacts
  drop constraint run_artifacts_kind_check,
  add constraint run_artifacts_kind_check check (kind ~ '^[a-z_]{1,40}$');
