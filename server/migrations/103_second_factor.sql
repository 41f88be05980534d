-- The second factor of a sign-in: the secret of an authenticator app, encrypted, and single-use recovery codes.
create table second_factors (
  user_id text primary key references users on delete cascade,
  secret_seal bytea not null,
  made_at timestamptz not null,
  -- Null while it is set up: until then nothing asks for it.
  confirmed_at timestamptz,
  -- The last step (of 30 seconds) whose code was taken: each code counts once.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id text not null references second_factors on delete cascade,
  code_mac text not null,
  used_at timestamptz,
  primary key (user_id, code_mac)
);

-- Between the two steps of a sign-in.
create table second_factor_tickets (
  hash bytea primary key,
  user_id text not null references second_factors on delete cascade,
  -- Of the password that was given; null where a link's key was.
  password_digest bytea,
  -- Who made that key; null also for one of the server's console.
  made_by text references users on delete cascade,
  expires_at timestamptz not null,
  tries smallint not null default 0
);

create index second_factor_tickets_user on second_factor_tickets (user_id);
create index second_factor_tickets_made_by on second_factor_tickets (made_by);
create index second_factor_tickets_expires_at on second_factor_tickets (expires_at);

-- When the code was last given: in this session, and in this browser. Null without a second factor.
alter table sessions add column second_factor_at timestamptz;
alter table known_devices add column second_factor_at timestamptz;

-- Wrong codes: from a known browser they count there alone.
alter table sign_in_tries drop constraint sign_in_tries_kind_check;
alter table sign_in_tries add constraint sign_in_tries_kind_check
  check (kind in ('password', 'device', 'unproven', 'again', 'code', 'device_code'));
