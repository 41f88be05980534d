-- Studies shown live to the members of a chat. The file stays where it is; nothing of it is copied.
create table social_rounds (
  id text primary key,
  chat_id text not null references social_chats on delete cascade,
  -- Whose study it is.
  host_id text not null references users on delete cascade,
  -- Null: the file is gone, and the round is over.
  file_id text references files on delete set null,
  is_series boolean not null,
  title text not null,
  -- Null while nobody leads.
  leader_id text references users on delete set null,
  all_mark boolean not null,
  -- What the leader looks at; the number grows with each state.
  state jsonb not null default '{}',
  state_count integer not null default 0,
  marks jsonb not null default '[]',
  mark_count integer not null default 0,
  -- The greatest number that a mark ever had.
  last_mark integer not null default 0,
  opened_at timestamptz not null,
  ended_at timestamptz
);
create index social_rounds_chat on social_rounds (chat_id, opened_at);
create index social_rounds_host on social_rounds (host_id);
create index social_rounds_file on social_rounds (file_id);
create index social_rounds_leader on social_rounds (leader_id);

-- Who looks on.
create table social_round_people (
  round_id text not null references social_rounds on delete cascade,
  user_id text not null references users on delete cascade,
  -- Their page said so last at this time.
  seen_at timestamptz not null,
  -- Since when they ask to lead.
  asked_at timestamptz,
  primary key (round_id, user_id)
);
create index social_round_people_user on social_round_people (user_id);
