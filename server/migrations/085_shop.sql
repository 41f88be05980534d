-- The model shop. Who bought a model keeps it, whatever becomes of its seller, so a version holds all that is needed to use it.

create table listings (
  id text primary key,
  -- Not a reference: what was sold outlives its seller's account.
  seller_id text not null,
  state text not null check (state in ('draft', 'checking', 'refused', 'listed', 'hidden', 'banned', 'closed')),
  task text not null,
  -- What the seller says of it.
  about jsonb not null,
  name text not null,
  price_yuan bigint not null check (price_yuan between 0 and 1000000),
  -- The version that buyers get; 0 before the first check.
  version integer not null default 0,
  -- The edition of the rules that the seller agreed to.
  rules integer not null,
  refusal text,
  ban_reason text not null default '',
  created_at timestamptz not null,
  listed_at timestamptz
);
create index listings_seller on listings (seller_id, created_at);
create index listings_listed on listings (listed_at) where state = 'listed';

create table listing_versions (
  listing_id text not null references listings,
  number integer not null,
  state text not null check (state in ('checking', 'verified', 'refused')),
  note text not null,
  -- Where it was trained and tested, as long as these runs are there.
  run_id text references runs on delete set null,
  test_id text references runs on delete set null,
  check_id text references runs on delete set null,
  -- As the training was then.
  network text not null,
  network_name text,
  graph text not null,
  plan jsonb not null,
  plan_hash text not null,
  classes jsonb not null,
  hyper jsonb not null,
  validation jsonb not null,
  parameters bigint not null,
  recipe jsonb,
  manifest_sha256 text not null references blobs,
  weights_sha256 text not null references blobs,
  weights_bytes bigint not null,
  start_from jsonb,
  learned jsonb not null,
  -- What the seller's test said, which the check must say again, and the statement that was signed.
  tested jsonb not null,
  statement text,
  signature text,
  created_at timestamptz not null,
  verified_at timestamptz,
  primary key (listing_id, number)
);
create index listing_versions_run on listing_versions (run_id);
create index listing_versions_test on listing_versions (test_id);
create index listing_versions_check on listing_versions (check_id) where check_id is not null;
create index listing_versions_manifest on listing_versions (manifest_sha256);
create index listing_versions_weights on listing_versions (weights_sha256);

-- Who may use which model; one way a member and model.
create table holdings (
  listing_id text not null references listings,
  user_id text not null references users on delete cascade,
  way text not null check (way in ('free', 'points', 'money', 'place', 'given')),
  order_no text,
  since timestamptz not null,
  primary key (listing_id, user_id)
);
create index holdings_user on holdings (user_id);

create table sales (
  -- Of the order; of a purchase by points of its own.
  order_no text primary key check (order_no ~ '^[0-9]{20}$'),
  listing_id text not null references listings,
  version integer not null,
  -- Not references: books outlive accounts.
  buyer_id text not null,
  seller_id text not null,
  unit text not null check (unit in ('fen', 'point')),
  amount bigint not null check (amount > 0),
  state text not null check (state in ('held', 'recorded', 'refunded')),
  rules integer not null,
  at timestamptz not null,
  record_at timestamptz not null
);
create index sales_seller on sales (seller_id, at);
create index sales_buyer on sales (buyer_id, listing_id);
create index sales_listing on sales (listing_id);
create index sales_due on sales (record_at) where state = 'held';

create table shop_reviews (
  id text primary key,
  listing_id text not null references listings,
  user_id text not null references users on delete cascade,
  version integer not null,
  stars smallint not null check (stars between 1 and 5),
  text text not null,
  at timestamptz not null,
  unique (listing_id, user_id)
);
create index shop_reviews_user on shop_reviews (user_id);

create table shop_claims (
  id text primary key,
  order_no text not null unique references sales,
  ground text not null check (
    ground in ('by_mistake', 'not_as_described', 'does_not_work', 'rights_of_others', 'unsafe')
  ),
  text text not null,
  state text not null check (state in ('open', 'granted', 'refused')),
  -- The seller's test, run again.
  check_id text references runs on delete set null,
  outcome text check (outcome in ('same', 'differs', 'failed')),
  reason text not null default '',
  at timestamptz not null,
  decided_at timestamptz
);
create index shop_claims_check on shop_claims (check_id) where check_id is not null;
create index shop_claims_open on shop_claims (at) where state = 'open';

-- What was computed with a model of the shop: uses, and looks at own test images.
create table shop_uses (
  id text primary key,
  run_id text references runs on delete set null,
  listing_id text not null references listings,
  version integer not null,
  user_id text not null references users on delete cascade,
  -- Null of what was taken away: weights, or a copy of the network.
  project_id text,
  kind text not null check (kind in ('train', 'predict', 'drive', 'taken')),
  -- Of a drive: a digest of its images, so that looks at the same ones are counted.
  images text,
  looks integer not null default 0,
  at timestamptz not null
);
create index shop_uses_run on shop_uses (run_id);
create index shop_uses_listing on shop_uses (listing_id, user_id);
create index shop_uses_user on shop_uses (user_id, at);

alter table orders drop constraint orders_kind_check;
alter table orders add constraint orders_kind_check check (kind in ('plan', 'model'));
-- Two tabs that buy one model make one order.
create unique index orders_one_model on orders (user_id, (item ->> 'listingId'))
  where kind = 'model' and state = 'waiting';
