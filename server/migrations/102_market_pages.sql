-- Data of a demand, cases and pages of service providers.

-- Folders of the customer's cloud that the work is about. The provider sees them by a share that ends with the order.
create table demand_data (
  demand_id text not null references demands on delete cascade,
  entry_id text not null references files on delete cascade,
  -- The owner's word: with files that name their patient.
  with_patients boolean not null,
  position integer not null,
  -- While the work is under way; null where the provider had it by another share already.
  share_id text references file_shares on delete set null,
  primary key (demand_id, entry_id)
);
create index demand_data_entry on demand_data (entry_id);
create index demand_data_share on demand_data (share_id) where share_id is not null;

-- What a provider says of itself.
create table market_providers (
  user_id text primary key references users on delete cascade,
  introduction text not null,
  services text[] not null,
  regions text[] not null,
  languages text[] not null,
  changed_at timestamptz not null
);

-- Finished work that a provider shows.
create table market_cases (
  id text primary key,
  provider_id text not null references users on delete cascade,
  title text not null,
  task text not null,
  text text not null,
  -- Names and values, as the provider wrote them.
  figures jsonb not null,
  is_public boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index market_cases_provider on market_cases (provider_id, created_at);
create index market_cases_public on market_cases (created_at) where is_public;

-- Pictures of cases stand beside the files of demands.
alter table market_files alter column demand_id drop not null;
alter table market_files add column case_id text references market_cases on delete cascade;
alter table market_files add check ((demand_id is null) <> (case_id is null));
create index market_files_case on market_files (case_id) where case_id is not null;
