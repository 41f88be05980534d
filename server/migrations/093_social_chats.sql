-- Chats of two members and of groups. A group's chat ends with the group.
create table social_groups (
  id text primary key,
  owner_id text not null references users on delete cascade,
  -- What people tell each other to join.
  number text not null unique,
  name text not null,
  introduction text not null,
  notice text not null default '',
  -- Null: everybody who knows the number may join.
  password_hash text,
  created_at timestamptz not null
);
create index social_groups_owner on social_groups (owner_id);

create table social_chats (
  id text primary key,
  kind text not null check (kind in ('pair', 'group')),
  group_id text unique references social_groups on delete cascade,
  -- Both members of a pair, in order: two members have one chat.
  pair_key text unique,
  -- Its row is locked while a message is added, so ids grow in the order of the commits.
  last_id bigint not null default 0,
  last_at timestamptz not null,
  check ((kind = 'group') = (group_id is not null)),
  check ((kind = 'pair') = (pair_key is not null))
);

create table social_chat_members (
  chat_id text not null references social_chats on delete cascade,
  user_id text not null references users on delete cascade,
  joined_at timestamptz not null,
  -- Messages with greater ids are seen: those from joining on.
  from_id bigint not null default 0,
  -- The last message that is seen by a member who left or was removed; null of those who are in it.
  until_id bigint,
  -- Removed by the owner: joins no more until invited.
  is_barred boolean not null default false,
  read_id bigint not null default 0,
  -- Up to here removed from the member's own list.
  cleared_id bigint not null default 0,
  is_muted boolean not null default false,
  primary key (chat_id, user_id)
);
create index social_chat_members_user on social_chat_members (user_id);

create table social_messages (
  chat_id text not null references social_chats on delete cascade,
  id bigint not null,
  -- Null: of an account that is gone.
  sender_id text references users on delete set null,
  at timestamptz not null,
  -- Empty where it was withdrawn, and of lines about the group.
  text text not null,
  -- Lower case.
  search_text text not null,
  -- What happened in a group.
  event text check (event in ('created', 'joined', 'invited', 'left', 'removed', 'owner', 'notice')),
  -- Whom the event is about.
  person_id text references users on delete set null,
  withdrawn_at timestamptz,
  -- Made by the sender's page: what is sent twice is one message.
  request_id text not null,
  reply_to bigint,
  mentions text[] not null default '{}',
  primary key (chat_id, id),
  unique (chat_id, sender_id, request_id)
);
create index social_messages_sender on social_messages (sender_id);
create index social_messages_person on social_messages (person_id) where person_id is not null;
create index social_messages_at on social_messages (chat_id, at);
create index social_messages_mentions on social_messages (chat_id, id) where mentions <> '{}';

-- Every two letters that stand beside each other: parts of words are found in any language, also where words have no spaces.
create function social_bigrams(content text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct letter || following), '{}')
  from (
    select letter, lead(letter) over (order by place) as following
    from unnest(string_to_array(content, null)) with ordinality as letters (letter, place)
  ) as pairs
  where following is not null
$$;
create index social_messages_search on social_messages using gin (social_bigrams(search_text));
