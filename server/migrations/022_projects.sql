-- Computed from now on: public while `public_at` is set, shared while there are shares.
alter table projects drop column visibility;
alter table projects add column public_at timestamptz;

alter table projects add column displays jsonb not null default '["per_class_table"]';
update projects
set displays = case task
  when 'classification' then '["per_class_table", "confusion_matrix", "labelled_pictures"]'::jsonb
  else '["per_class_table", "outlines"]'::jsonb
end;
alter table projects alter column displays drop default;
alter table projects add constraint projects_displays check (jsonb_array_length(displays) > 0);

-- As promised when it was removed.
alter table projects add column clears_at timestamptz;

-- In lower case as the server makes it: the database's own knows only plain letters, depending on where it runs.
alter table projects add column search_text text not null default '';
update projects set search_text = lower(name || E'\n' || description);
alter table projects alter column search_text drop default;

create index projects_owner on projects (owner_id, created_at desc, id desc);
create index projects_public on projects (created_at desc, id desc) where public_at is not null;

create table project_shares (
  id text primary key,
  project_id text not null references projects on delete cascade,
  owner_id text not null references users on delete cascade,
  user_id text not null references users on delete cascade,
  account text not null,
  permission text not null check (permission in ('view', 'edit')),
  shared_at timestamptz not null,
  constraint project_shares_not_self check (user_id <> owner_id)
);

create unique index project_shares_user on project_shares (user_id, project_id);
create index project_shares_project on project_shares (project_id);
create index project_shares_owner on project_shares (owner_id);

alter table project_datasets
  add column use text not null default 'train' check (use in ('train', 'test'));

alter table runs add column started_by text references users on delete set null;
update runs set started_by = user_id;
create index runs_started_by on runs (started_by);

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (
  kind in (
    'signed_in_elsewhere',
    'password_changed',
    'shared_with_you',
    'share_withdrawn',
    'group_joined',
    'group_removed',
    'group_dissolved',
    'project_shared',
    'project_unshared'
  )
);
