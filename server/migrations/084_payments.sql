-- What is sold, ordered, paid, given back and invoiced. Amounts are whole fen.

-- What administrators changed of the plans that stand in the contract.
create table vip_plans (
  id smallint primary key check (id between 1 and 4),
  price_fen bigint not null check (price_fen between 0 and 100000000000),
  years smallint not null check (years between 0 and 10),
  notes jsonb not null,
  changed_at timestamptz not null
);

create table orders (
  order_no text primary key check (order_no ~ '^[0-9]{20}$'),
  -- Not a reference: books outlive accounts.
  user_id text not null,
  kind text not null check (kind in ('plan')),
  -- What is bought as it was offered: for a plan its level, years, what was taken off, and the member's level then.
  item jsonb not null,
  amount_fen bigint not null check (amount_fen >= 0),
  method text not null check (method in ('wechat', 'alipay', 'transfer')),
  state text not null check (state in ('waiting', 'paid', 'expired', 'cancelled', 'returning', 'refunded')),
  -- The text of its QR code; empty until the provider has answered.
  qr text not null default '',
  -- In which language its receipt is written.
  language text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  -- When the provider was asked last, and when it said that nothing can be paid for it any more.
  asked_at timestamptz,
  closed_at timestamptz
);
create index orders_user on orders (user_id, created_at);
create index orders_created on orders (created_at);
-- One plan at a time: a later order takes the place of the one that waits.
create unique index orders_one_plan on orders (user_id) where kind = 'plan' and state = 'waiting';
create index orders_open on orders (created_at) where closed_at is null and method <> 'transfer';

-- Money that came, each payment once, with what the provider said, as it said it.
create table payments (
  provider text not null check (provider in ('wechat', 'alipay', 'transfer')),
  transaction_id text not null,
  order_no text not null unique references orders,
  amount_fen bigint not null check (amount_fen > 0),
  raw text not null,
  at timestamptz not null,
  primary key (provider, transaction_id)
);

-- Money on its way back: once an order.
create table refunds (
  refund_no text primary key check (refund_no ~ '^[0-9]{20}$'),
  order_no text not null unique references orders,
  amount_fen bigint not null check (amount_fen > 0),
  reason text not null,
  -- By which administrator; null: by itself, because the order was over.
  asked_by text,
  asked_at timestamptz not null,
  sent_at timestamptz,
  -- Of a bank transfer back.
  reference text not null default '',
  -- What the provider said when it failed.
  problem text not null default ''
);
create index refunds_unsent on refunds (asked_at) where sent_at is null;

create table invoices (
  id text primary key,
  order_no text not null unique references orders on delete cascade,
  user_id text not null,
  type smallint not null check (type in (0, 1)),
  title text not null,
  tax text not null default '',
  addr text not null default '',
  phone text not null default '',
  bank text not null default '',
  account text not null default '',
  state text not null check (state in ('asked', 'issued', 'refused', 'void')),
  number text not null default '',
  reason text not null default '',
  asked_at timestamptz not null,
  decided_at timestamptz
);
create index invoices_user on invoices (user_id);
create index invoices_state on invoices (state, asked_at);

-- Levels that were bought, each by one order: what their unused days are worth is reckoned from them.
create table terms (
  order_no text primary key references orders,
  user_id text not null references users on delete cascade,
  level smallint not null check (level between 2 and 4),
  value_fen bigint not null check (value_fen >= 0),
  from_at timestamptz not null,
  -- Null = for ever.
  until_at timestamptz,
  -- When it was given up for a higher level, or for its money.
  ended_at timestamptz
);
create index terms_user on terms (user_id);

-- Money that came for an order that was over belongs to its member until it is back.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (
  kind in ('outside', 'income', 'fees', 'wallet', 'held', 'withdrawing', 'returning', 'points', 'points_given')
);
alter table ledger_accounts drop constraint ledger_accounts_check;
alter table ledger_accounts add constraint ledger_accounts_check check (
  balance >= 0 or kind not in ('wallet', 'held', 'withdrawing', 'returning')
);
