-- Tools that a member marked, and what tools were used on.
create table tool_favourites (
  user_id text not null references users on delete cascade,
  tool text not null,
  marked_at timestamptz not null,
  primary key (user_id, tool)
);

create table tool_uses (
  id text primary key,
  user_id text not null references users on delete cascade,
  tool text not null,
  title text not null,
  inputs jsonb not null,
  -- Of whichever feature; it may be gone.
  job_id text,
  used_at timestamptz not null
);

create index tool_uses_user on tool_uses (user_id, used_at desc, id desc);
