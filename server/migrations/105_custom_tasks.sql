-- Custom tasks and parameter tuning. What they move stands in the ledger, under the number of their order.

alter table orders drop constraint orders_kind_check;
alter table orders add constraint orders_kind_check check (kind in ('plan', 'model', 'work', 'custom'));

-- Fixed prices; a kind without one has its price set by the review.
create table custom_prices (
  kind text primary key check (kind in ('customisation', 'tuning')),
  price_fen bigint not null check (price_fen between 0 and 100000000000),
  changed_at timestamptz not null
);

create table custom_tasks (
  id text primary key,
  user_id text not null references users on delete cascade,
  -- Made by the page: what is sent twice is one request.
  request_id text not null,
  kind text not null check (kind in ('customisation', 'tuning')),
  title text not null,
  task text not null,
  description text not null,
  -- What it is about, by reference; the name is the one that it had then.
  source_kind text check (source_kind in ('project', 'folder')),
  source_id text,
  source_name text,
  state text not null check (
    state in ('unpaid', 'pending_review', 'approved', 'rejected', 'processing', 'completed')
  ),
  -- Null until the review sets it, where it is not fixed.
  price_fen bigint check (price_fen >= 0),
  -- Of the order that was paid; empty = nothing was.
  order_no text not null default '',
  progress smallint not null default 0 check (progress between 0 and 100),
  -- By which administrator, who is never the member.
  reviewed_by text check (reviewed_by <> user_id),
  reason text not null default '',
  -- Who works on it.
  provider_id text check (provider_id <> user_id) references users on delete set null,
  published_at timestamptz not null,
  approved_at timestamptz,
  due_at timestamptz,
  completed_at timestamptz,
  changed_at timestamptz not null,
  unique (user_id, request_id),
  check ((approved_at is null) = (state in ('unpaid', 'pending_review', 'rejected'))),
  check ((completed_at is null) = (state <> 'completed'))
);
create index custom_tasks_user on custom_tasks (user_id, published_at);
create index custom_tasks_state on custom_tasks (state, changed_at);
create index custom_tasks_provider on custom_tasks (provider_id);

-- Every state and every progress that a task had.
create table custom_task_steps (
  task_id text not null references custom_tasks on delete cascade,
  number integer not null,
  state text not null,
  progress smallint not null,
  note text not null default '',
  at timestamptz not null,
  primary key (task_id, number)
);
