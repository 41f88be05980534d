alter table sessions
  add column agent text not null default '',
  add column closing_at timestamptz;

alter table users add column cancelled_at timestamptz;
alter table users drop constraint users_has_account;
alter table users add constraint users_has_account
  check (email_key is not null or phone_key is not null or cancelled_at is not null);

create index users_cancelled_at on users (cancelled_at) where cancelled_at is not null;

create table login_keys (
  hash bytea primary key,
  user_id text not null references users on delete cascade,
  made_by text references users on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index login_keys_user on login_keys (user_id);
create index login_keys_made_by on login_keys (made_by);
create index login_keys_expires_at on login_keys (expires_at);

create table notices (
  id bigserial primary key,
  user_id text not null references users on delete cascade,
  kind text not null check (kind in ('signed_in_elsewhere', 'password_changed')),
  params jsonb not null,
  at timestamptz not null,
  read_at timestamptz
);

create index notices_user on notices (user_id, id);
create index notices_at on notices (at);
