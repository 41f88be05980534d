-- Parts of the product that administrators switched off; what has no row is on.
create table modules_off (
  name text primary key check (name ~ '^[a-z_]+$'),
  -- Compared with nothing, so no foreign key.
  switched_by text,
  since timestamptz not null
);
