-- What was promised when a thing was removed; a lower level later does not shorten it.
alter table files add column clears_at timestamptz;

-- Of files alone: the size of a folder changes with every upload below it, and must not be rewritten in every index.
alter table files add column listed_bytes bigint not null
  generated always as (case when kind = 'file' then size_bytes else 0 end) stored;

create index files_by_type
  on files (owner_id, coalesce(parent_id, ''), kind, type, sort_name, id)
  where recycled_at is null;

create index files_by_size
  on files (owner_id, coalesce(parent_id, ''), kind, listed_bytes, sort_name, id)
  where recycled_at is null;

create index files_by_modified
  on files (owner_id, coalesce(parent_id, ''), kind, modified_at, sort_name, id)
  where recycled_at is null;

create index files_recycled on files (owner_id, recycled_at desc, id desc) where recycled_at is not null;

-- What a zip is made of: too long for its address.
create table zips (
  id text primary key,
  user_id text not null references users on delete cascade,
  entry_ids text[] not null,
  name text not null,
  created_at timestamptz not null
);

create index zips_user on zips (user_id);
create index zips_created_at on zips (created_at);
