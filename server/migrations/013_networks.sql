create table networks (
  id text primary key,
  owner_id text not null references users on delete cascade,
  name text not null,
  task text not null,
  revision integer not null default 1,
  version integer not null default 0,
  text text not null,
  layout jsonb not null,
  parameters bigint,
  macs double precision,
  mistakes integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index networks_owner on networks (owner_id, updated_at);

create table network_versions (
  network_id text not null references networks on delete cascade,
  number integer not null,
  note text not null,
  text text not null,
  layout jsonb not null,
  parameters bigint,
  created_at timestamptz not null,
  primary key (network_id, number)
);

-- Of a run with a network of the member's own: what it was called and which version of it, whatever becomes of it.
alter table runs
  add column own_network_name text,
  add column own_network_version integer,
  add constraint runs_own_network check ((own_network_name is null) = (own_network_version is null)),
  alter column parameters type bigint;

create index runs_own_network on runs (network, own_network_version) where own_network_version is not null;

alter table run_inputs add column network_text text;
