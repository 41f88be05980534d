-- Labels that go out into a new folder, or come in from one: looked at first, then done on the member's word.
create table label_exchanges (
  id text primary key,
  set_id text not null references label_sets on delete cascade,
  member_id text not null references users on delete cascade,
  kind text not null check (kind in ('export', 'import')),
  state text not null check (state in ('looking', 'planned', 'working', 'done', 'failed', 'cancelled')),
  format text,
  whose text check (whose in ('mine', 'accepted', 'newest')),
  -- Made, or read from. No foreign key: what was done stays told when the folder is gone.
  folder_id text,
  folder_name text not null default '',
  plan jsonb,
  choices jsonb,
  done integer not null default 0,
  total integer not null default 0,
  failure text,
  attempts integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index label_exchanges_set on label_exchanges (set_id, member_id, created_at desc);
create index label_exchanges_member on label_exchanges (member_id, created_at desc);
create index label_exchanges_open on label_exchanges (lease_until) where state in ('looking', 'working');
