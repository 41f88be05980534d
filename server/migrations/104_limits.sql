-- Limits of the membership levels that administrators set in the back-office, beyond the product's own and LIMITS_FILE.
create table plan_overrides (
  id smallint primary key default 1 check (id = 1),
  overrides jsonb not null,
  version integer not null,
  changed_by text,
  changed_at timestamptz not null
);
