-- How members of the social centre stand to each other, and what they show of themselves.
create table social_cards (
  user_id text primary key references users on delete cascade,
  introduction text not null default '',
  -- Fields of the profile that others see; none unless its owner chose it.
  shown text[] not null default '{}',
  can_be_found boolean not null default false,
  shows_online boolean not null default false
);
create index social_cards_found on social_cards (user_id) where can_be_found;

-- A friendship is two rows, one for each side.
create table social_friends (
  user_id text not null references users on delete cascade,
  friend_id text not null references users on delete cascade,
  since timestamptz not null,
  primary key (user_id, friend_id)
);
create index social_friends_friend on social_friends (friend_id);

create table social_applications (
  id text primary key,
  from_id text not null references users on delete cascade,
  to_id text not null references users on delete cascade,
  text text not null,
  state text not null check (state in ('waiting', 'accepted', 'refused')),
  -- When it was last asked, also where it was refused meanwhile: the sender does not learn of that.
  at timestamptz not null,
  answered_at timestamptz,
  unique (from_id, to_id)
);
create index social_applications_to on social_applications (to_id, at);

create table social_follows (
  user_id text not null references users on delete cascade,
  member_id text not null references users on delete cascade,
  at timestamptz not null,
  primary key (user_id, member_id)
);
create index social_follows_user on social_follows (user_id, at);
create index social_follows_member on social_follows (member_id, at);

create table social_blocks (
  user_id text not null references users on delete cascade,
  member_id text not null references users on delete cascade,
  at timestamptz not null,
  primary key (user_id, member_id)
);
create index social_blocks_member on social_blocks (member_id);

-- What members sent, and searches that found nobody: counted within a while, then deleted.
create table social_tries (
  id bigserial primary key,
  user_id text not null references users on delete cascade,
  kind text not null check (kind in ('message', 'post', 'application', 'person', 'group')),
  at timestamptz not null
);
create index social_tries_user on social_tries (user_id, kind, at);
