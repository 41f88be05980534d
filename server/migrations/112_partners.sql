-- Other systems that may sign their members in by links.
create table partners (
  id text primary key,
  name text not null,
  -- SHA-256 of a secret that is drawn: long enough that nothing slower is needed.
  secret_hash bytea not null unique,
  -- Compared with nothing, so no foreign key.
  made_by text,
  made_at timestamptz not null,
  used_at timestamptz
);

alter table users add column partner_id text references partners on delete set null;
create index users_partner on users (partner_id) where partner_id is not null;

alter table login_keys add column partner_id text references partners on delete cascade;
create index login_keys_partner on login_keys (partner_id, expires_at) where partner_id is not null;
