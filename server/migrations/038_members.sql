-- Since then nobody signs in to it, until an administrator allows it again.
alter table users add column blocked_at timestamptz;
