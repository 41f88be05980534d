-- Posts for everybody in the social centre, and what members report to the administrators.
create table social_posts (
  id text primary key,
  author_id text not null references users on delete cascade,
  -- Made by the page: what is sent twice is one post.
  request_id text not null,
  text text not null,
  -- Lower case, for searching.
  search_text text not null,
  at timestamptz not null,
  edited_at timestamptz,
  unique (author_id, request_id)
);
create index social_posts_author on social_posts (author_id, at);
create index social_posts_at on social_posts (at, id);

-- What a post said before its changes, since when.
create table social_post_versions (
  id bigserial primary key,
  post_id text not null references social_posts on delete cascade,
  text text not null,
  at timestamptz not null
);
create index social_post_versions_post on social_post_versions (post_id, id);

-- Words after #, in the order of the text.
create table social_post_topics (
  post_id text not null references social_posts on delete cascade,
  topic text not null,
  position integer not null,
  primary key (post_id, topic)
);
create index social_post_topics_topic on social_post_topics (topic, post_id);

create table social_likes (
  post_id text not null references social_posts on delete cascade,
  user_id text not null references users on delete cascade,
  at timestamptz not null,
  primary key (post_id, user_id)
);
create index social_likes_user on social_likes (user_id);

create table social_replies (
  id text primary key,
  post_id text not null references social_posts on delete cascade,
  parent_id text references social_replies on delete cascade,
  -- Null: of an account that is gone.
  author_id text references users on delete set null,
  request_id text not null,
  -- Empty where it was deleted; what answers it stays.
  text text not null,
  at timestamptz not null,
  deleted_at timestamptz,
  unique (author_id, request_id)
);
create index social_replies_post on social_replies (post_id, at);
create index social_replies_parent on social_replies (parent_id) where parent_id is not null;

create table social_reports (
  id text primary key,
  kind text not null check (kind in ('message', 'post', 'reply', 'member', 'group')),
  -- Of a message; else empty.
  chat_id text not null default '',
  target_id text not null,
  -- Null: of an account that is gone.
  reporter_id text references users on delete set null,
  -- Who wrote or owns it.
  about_id text not null references users on delete cascade,
  reason text not null check (
    reason in ('spam', 'insult', 'patient_data', 'false_medical', 'illegal', 'other')
  ),
  text text not null,
  -- As it was when it was reported.
  content text not null,
  at timestamptz not null,
  state text not null check (state in ('open', 'removed', 'kept')),
  decided_by text references users on delete set null,
  decided_at timestamptz,
  unique (reporter_id, kind, chat_id, target_id)
);
create index social_reports_about on social_reports (about_id);
create index social_reports_decided_by on social_reports (decided_by) where decided_by is not null;
create index social_reports_target on social_reports (kind, chat_id, target_id);
create index social_reports_open on social_reports (at, id) where state = 'open';
