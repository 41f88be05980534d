create table users (
  id text primary key,
  email_key text unique,
  phone_key text unique,
  password_hash text not null,
  role smallint not null default 0 check (role in (0, 1, 2, 3)),
  vip_level smallint not null default 0 check (vip_level between 0 and 4),
  vip_super smallint not null default 0 check (vip_super in (0, 1)),
  vip_valid timestamptz,
  type smallint not null default 0,
  nick_name text not null,
  name text not null default '',
  surname text not null default '',
  phone text not null default '',
  email text not null default '',
  job text not null default '',
  appellation text not null default '',
  sex text not null default '',
  age smallint,
  edu text not null default '',
  country text not null default '',
  curr_country text not null default '',
  area text not null default '',
  address text not null default '',
  postcode text not null default '',
  bak_phone text not null default '',
  bak_phone_usage text not null default '',
  fax text not null default '',
  email1 text not null default '',
  email2 text not null default '',
  email3 text not null default '',
  first_contact text not null default '',
  organ text not null default '',
  position text not null default '',
  dept text not null default '',
  title text not null default '',
  keyword text not null default '',
  photo text not null default '',
  show_introduce text not null default '12345',
  created_at timestamptz not null default now(),
  constraint users_has_account check (email_key is not null or phone_key is not null)
);

create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  token_hash bytea not null unique,
  cookie_hash bytea,
  address text not null,
  started_at timestamptz not null,
  used_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('replaced', 'signed_out', 'expired')),
  constraint sessions_end check ((ended_at is null) = (end_reason is null))
);

create unique index sessions_one_active
  on sessions (user_id)
  where ended_at is null;

create index sessions_user on sessions (user_id, address);
create index sessions_ended_at on sessions (ended_at);

create table live_tickets (
  hash bytea primary key,
  session_id text not null references sessions on delete cascade,
  expires_at timestamptz not null
);

create index live_tickets_session on live_tickets (session_id);
create index live_tickets_expires_at on live_tickets (expires_at);

create table sign_in_tries (
  id bigserial primary key,
  account_mac text not null,
  address text not null,
  kind text not null check (kind in ('password', 'unproven')),
  at timestamptz not null
);

create index sign_in_tries_account on sign_in_tries (account_mac, at);
create index sign_in_tries_address on sign_in_tries (address, at);
create index sign_in_tries_at on sign_in_tries (at);

create table used_challenges (
  salt text primary key,
  expires_at timestamptz not null
);

create index used_challenges_expires_at on used_challenges (expires_at);

create table user_storage (
  user_id text primary key references users on delete cascade,
  used_bytes bigint not null default 0 check (used_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0)
);

create table audit_events (
  id bigserial primary key,
  actor text,
  action text not null,
  subject text not null,
  address text not null,
  at timestamptz not null default now()
);

create index audit_events_actor on audit_events (actor, at);
