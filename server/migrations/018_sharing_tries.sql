create table file_tries (
  id bigserial primary key,
  kind text not null,
  key text not null,
  at timestamptz not null
);

create index file_tries_key on file_tries (kind, key, at);
create index file_tries_at on file_tries (at);

alter table file_shares add column account text not null default '';

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (
  kind in (
    'signed_in_elsewhere',
    'password_changed',
    'shared_with_you',
    'share_withdrawn',
    'group_joined',
    'group_removed',
    'group_dissolved'
  )
);
