-- Browsers from which an account was signed in to: guessing elsewhere never slows them.
create table known_devices (
  user_id text not null references users on delete cascade,
  hash bytea not null,
  used_at timestamptz not null,
  primary key (user_id, hash)
);

create index known_devices_used_at on known_devices (used_at);

-- Tries from a known device count there alone; 'again' are those of somebody who is signed in.
alter table sign_in_tries drop constraint sign_in_tries_kind_check;
alter table sign_in_tries add constraint sign_in_tries_kind_check
  check (kind in ('password', 'device', 'unproven', 'again'));
alter table sign_in_tries rename column address to place;
