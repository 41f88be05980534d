-- How readers are called by whoever named them, and what is said about images.
alter table label_readers
  add column id text not null default gen_random_uuid()::text,
  add column account text not null default '';
alter table label_readers
  alter column id drop default,
  alter column account drop default,
  add constraint label_readers_id unique (id);

create table label_comments (
  id text primary key,
  item_id text not null references label_items on delete cascade,
  -- Whose marks it is about: another reader does not see it. Null = the image.
  reading_id text references label_readings on delete cascade,
  -- The one that began: replies lie flat beneath it.
  reply_to text references label_comments on delete cascade,
  -- Null when that member is gone, and the words with them.
  author_id text references users on delete set null,
  text text not null,
  x double precision,
  y double precision,
  axis smallint check (axis in (0, 1, 2)),
  slice integer,
  resolved_at timestamptz,
  created_at timestamptz not null
);
create index label_comments_item on label_comments (item_id, created_at);
create index label_comments_reading on label_comments (reading_id) where reading_id is not null;
create index label_comments_reply on label_comments (reply_to) where reply_to is not null;
create index label_comments_author on label_comments (author_id) where author_id is not null;
