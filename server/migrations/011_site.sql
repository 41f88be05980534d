create table visitor_messages (
  id bigserial primary key,
  kind text not null check (kind in ('consultation', 'message')),
  name text not null,
  organ text not null,
  contact text not null,
  topic text not null,
  text text not null,
  language text not null check (language in ('en', 'zh', 'ru')),
  address text not null,
  at timestamptz not null,
  answer text not null default '',
  answered_at timestamptz,
  answered_by text references users on delete set null
);

create index visitor_messages_open on visitor_messages (id) where answered_at is null;
create index visitor_messages_address on visitor_messages (address, at);
create index visitor_messages_answered_by on visitor_messages (answered_by);
