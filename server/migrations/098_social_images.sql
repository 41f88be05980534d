-- Images that members send. Nothing of the file that was sent is kept but its pixels, written anew.
create table social_images (
  id text primary key,
  -- Images go with the account that sent them.
  owner_id text not null references users on delete cascade,
  sha256 text not null references blobs,
  preview_sha256 text not null references blobs,
  width integer not null,
  height integer not null,
  at timestamptz not null,
  -- What it went with; all three null while it waits to be sent.
  chat_id text,
  message_id bigint,
  post_id text references social_posts on delete cascade,
  foreign key (chat_id, message_id) references social_messages on delete cascade,
  check ((chat_id is null) = (message_id is null)),
  check (chat_id is null or post_id is null)
);
create index social_images_owner on social_images (owner_id, at);
create index social_images_sha256 on social_images (sha256);
create index social_images_preview on social_images (preview_sha256);
create index social_images_message on social_images (chat_id, message_id) where chat_id is not null;
create index social_images_post on social_images (post_id) where post_id is not null;
create index social_images_waiting on social_images (at) where chat_id is null and post_id is null;

alter table social_tries drop constraint social_tries_kind_check;
alter table social_tries add check (kind in ('message', 'post', 'application', 'person', 'group', 'image'));

-- What went with the text that was reported, as it was then.
alter table social_reports add column attachments jsonb;
create table social_report_images (
  report_id text not null references social_reports on delete cascade,
  -- Of the attachment that it stands for.
  image_id text not null,
  sha256 text not null references blobs,
  preview_sha256 text not null references blobs,
  primary key (report_id, image_id)
);
create index social_report_images_sha256 on social_report_images (sha256);
create index social_report_images_preview on social_report_images (preview_sha256);
