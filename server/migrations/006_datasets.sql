create table datasets (
  id text primary key,
  owner_id text not null references users on delete cascade,
  folder_id text not null,
  name text not null,
  task text check (task in ('classification', 'segmentation')),
  layout text check (layout in ('class_folders', 'images_masks')),
  state text not null default 'checking' check (state in ('checking', 'ready', 'failed')),
  failure text check (
    failure in (
      'empty_folder',
      'no_images',
      'single_class',
      'nothing_matches',
      'layout_unknown',
      'task_differs',
      'internal'
    )
  ),
  done_files integer not null default 0,
  total_files integer not null default 0,
  content_hash text not null,
  classes jsonb not null default '[]',
  mask_values jsonb not null default '{}',
  channels smallint check (channels in (1, 3)),
  facts jsonb,
  problem_count integer not null default 0,
  created_at timestamptz not null,
  checked_at timestamptz,
  constraint datasets_failure check ((state = 'failed') = (failure is not null)),
  constraint datasets_checked check ((state = 'checking') = (checked_at is null)),
  constraint datasets_facts check (state <> 'ready' or (facts is not null and channels is not null))
);

create index datasets_owner on datasets (owner_id, created_at);
create index datasets_folder on datasets (folder_id);
create index datasets_checking on datasets (created_at) where state = 'checking';

create table project_datasets (
  project_id text not null references projects on delete cascade,
  dataset_id text not null references datasets on delete cascade,
  added_at timestamptz not null,
  primary key (project_id, dataset_id)
);

create index project_datasets_dataset on project_datasets (dataset_id);

create table dataset_parts (
  id text primary key,
  dataset_id text not null references datasets on delete cascade,
  part text not null check (part in ('image', 'label')),
  items integer not null,
  constraint dataset_parts_once unique (dataset_id, part)
);

create table dataset_items (
  id text primary key,
  dataset_id text not null references datasets on delete cascade,
  position integer not null,
  name text not null,
  image_sha256 text not null references blobs,
  label_sha256 text references blobs,
  class integer,
  width integer not null,
  height integer not null,
  constraint dataset_items_position unique (dataset_id, position)
);

create index dataset_items_image on dataset_items (image_sha256);
create index dataset_items_label on dataset_items (label_sha256);

create table dataset_problems (
  dataset_id text not null references datasets on delete cascade,
  position integer not null,
  path text not null,
  reason text not null,
  params jsonb not null default '{}',
  primary key (dataset_id, position)
);
