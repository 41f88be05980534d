-- The market: who wants work done, who offers it, and the work itself. Money is in the ledger. Amounts are whole fen.
create table demands (
  id text primary key,
  -- Not references: what was paid for outlives the accounts.
  owner_id text not null,
  state text not null check (
    state in ('open', 'assigned', 'delivered', 'accepted', 'disputed', 'closed', 'withdrawn')
  ),
  title text not null,
  task text not null,
  description text not null,
  budget_fen bigint not null check (budget_fen > 0),
  deadline date not null,
  created_at timestamptz not null,
  -- From the payment on.
  offer_id text,
  provider_id text check (provider_id <> owner_id),
  order_no text references orders,
  -- Milestones that are accepted.
  accepted_parts integer not null default 0,
  assigned_at timestamptz,
  accepted_at timestamptz,
  -- When the customer was reminded last of a delivery without answer.
  reminded_at timestamptz,
  ended text check (ended in ('rated', 'decided', 'given_up')),
  check (state not in ('assigned', 'delivered', 'accepted', 'disputed', 'closed') or order_no is not null),
  check ((ended is null) = (state <> 'closed'))
);
create index demands_owner on demands (owner_id, created_at);
create index demands_provider on demands (provider_id, assigned_at) where provider_id is not null;
create index demands_order on demands (order_no) where order_no is not null;
create index demands_state on demands (state, created_at);

-- One of a provider and demand.
create table demand_offers (
  id text primary key,
  demand_id text not null references demands on delete cascade,
  provider_id text not null,
  price_fen bigint not null check (price_fen > 0),
  days integer not null check (days > 0),
  text text not null,
  milestones jsonb not null,
  revision integer not null,
  at timestamptz not null,
  unique (demand_id, provider_id)
);
create index demand_offers_provider on demand_offers (provider_id, at);

create table demand_deliveries (
  id text primary key,
  demand_id text not null references demands on delete cascade,
  -- Of which milestone, from 0.
  part integer not null,
  text text not null,
  state text not null check (state in ('waiting', 'accepted', 'sent_back')),
  answer text not null default '',
  at timestamptz not null,
  answered_at timestamptz
);
create index demand_deliveries_demand on demand_deliveries (demand_id, at);
-- What is delivered is answered before anything else is.
create unique index demand_deliveries_waiting on demand_deliveries (demand_id) where state = 'waiting';

-- One a demand: the money of an order is divided once.
create table demand_disputes (
  demand_id text primary key references demands on delete cascade,
  by_owner boolean not null,
  reason text not null,
  at timestamptz not null,
  provider_fen bigint check (provider_fen >= 0),
  owner_fen bigint check (owner_fen >= 0),
  decision text not null default '',
  decided_by text,
  decided_at timestamptz check ((decided_at is null) = (provider_fen is null))
);

-- By the customer of accepted work, once.
create table demand_ratings (
  demand_id text primary key references demands on delete cascade,
  provider_id text not null,
  user_id text not null,
  stars smallint not null check (stars between 1 and 5),
  text text not null,
  at timestamptz not null
);
create index demand_ratings_provider on demand_ratings (provider_id, at);
create index demand_ratings_user on demand_ratings (user_id);

-- Bytes from somebody's cloud, kept with a demand or a delivery whatever becomes of the file there.
create table market_files (
  id text primary key,
  demand_id text not null references demands on delete cascade,
  delivery_id text references demand_deliveries on delete cascade,
  name text not null,
  sha256 text not null references blobs,
  size_bytes bigint not null,
  position integer not null
);
create index market_files_demand on market_files (demand_id);
create index market_files_delivery on market_files (delivery_id) where delivery_id is not null;
create index market_files_sha256 on market_files (sha256);

alter table orders drop constraint orders_kind_check;
alter table orders add constraint orders_kind_check check (kind in ('plan', 'model', 'work'));
-- One order of a demand waits at a time.
create unique index orders_one_work on orders (user_id, (item ->> 'demandId'))
  where kind = 'work' and state = 'waiting';

-- What a customer paid for work belongs to nobody else until it is accepted or decided.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (
  kind in (
    'outside', 'income', 'fees', 'wallet', 'held', 'escrow', 'withdrawing', 'returning', 'points', 'points_given'
  )
);
alter table ledger_accounts drop constraint ledger_accounts_check;
alter table ledger_accounts add constraint ledger_accounts_check check (
  balance >= 0 or kind not in ('wallet', 'held', 'escrow', 'withdrawing', 'returning')
);
