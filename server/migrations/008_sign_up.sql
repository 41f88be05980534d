alter table users add column agreed_at timestamptz;

create table codes (
  id bigserial primary key,
  phone_key text not null,
  purpose text not null check (purpose in ('register', 'forget')),
  code_mac text,
  address text not null,
  is_proven boolean not null,
  tries smallint not null default 0,
  sent_at timestamptz not null,
  used_at timestamptz
);

create index codes_phone on codes (phone_key, sent_at);
create index codes_address on codes (address, sent_at);
create index codes_sent_at on codes (sent_at);
