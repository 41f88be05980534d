-- Labelling with the help of one's own networks.

-- Images that are pinned by their bytes, of a prediction that was made of no files of the cloud.
alter table run_sources add column pinned jsonb;
-- A prediction that also tells how unsure the network is.
alter table run_inputs add column doubts boolean not null default false;

-- The network that proposes to a member in a set.
create table label_helpers (
  set_id text not null references label_sets on delete cascade,
  user_id text not null references users on delete cascade,
  run_id text references runs on delete set null,
  classes jsonb not null,
  sort text not null check (sort in ('doubt', 'random')),
  every integer,
  changed_at timestamptz not null,
  primary key (set_id, user_id)
);
create index label_helpers_user on label_helpers (user_id);
create index label_helpers_run on label_helpers (run_id) where run_id is not null;

-- What a prediction proposed on an image.
create table label_proposals (
  id text primary key,
  item_id text not null references label_items on delete cascade,
  user_id text not null references users on delete cascade,
  run_id text references runs on delete set null,
  state text not null check (state in ('waiting', 'ready', 'failed')),
  -- The set's class of each of the network's classes.
  classes jsonb not null,
  objects jsonb not null default '[]',
  objects_left integer not null default 0,
  -- By class of the network: how unsure it is, and whether it found any.
  doubt jsonb,
  found jsonb,
  made_at timestamptz not null
);
create index label_proposals_item on label_proposals (item_id, user_id, made_at desc);
create index label_proposals_user on label_proposals (user_id);
create index label_proposals_run on label_proposals (run_id) where run_id is not null;

-- What became of a proposed object. It stays when the proposal's run is gone.
create table label_judgements (
  proposal_id text not null references label_proposals on delete cascade,
  number integer not null,
  class text not null,
  judgement text not null check (judgement in ('accepted', 'mended', 'refused')),
  judged_at timestamptz not null,
  primary key (proposal_id, number)
);

-- A training with the labels that a member had at a time, tested on images kept aside.
create table label_rounds (
  id text primary key,
  set_id text not null references label_sets on delete cascade,
  user_id text not null references users on delete cascade,
  base_id text references runs on delete set null,
  dataset_id text,
  run_id text references runs on delete set null,
  test_id text references runs on delete set null,
  sort text not null check (sort in ('doubt', 'random')),
  state text not null check (state in ('waiting', 'reading', 'training', 'testing', 'done', 'failed')),
  failure text,
  finished integer not null,
  labels integer,
  -- By SHA-256 of the image.
  scores jsonb not null default '{}',
  created_at timestamptz not null
);
create index label_rounds_set on label_rounds (set_id, user_id, created_at);
create index label_rounds_user on label_rounds (user_id);
create index label_rounds_base on label_rounds (base_id) where base_id is not null;
create index label_rounds_run on label_rounds (run_id) where run_id is not null;
create index label_rounds_test on label_rounds (test_id) where test_id is not null;
create unique index label_rounds_open on label_rounds (set_id, user_id) where state not in ('done', 'failed');
