-- Second opinions: one question about studies, answered by members of a chat who do not see each other's answers.
create table social_opinions (
  id text primary key,
  chat_id text not null references social_chats on delete cascade,
  -- Whose studies they are.
  asker_id text not null references users on delete cascade,
  question text not null,
  answers text[] not null,
  has_outline boolean not null,
  asked_at timestamptz not null,
  until timestamptz not null,
  closed_at timestamptz
);
create index social_opinions_chat on social_opinions (chat_id);
create index social_opinions_asker on social_opinions (asker_id);

create table social_opinion_studies (
  opinion_id text not null references social_opinions on delete cascade,
  position integer not null,
  -- Null: the file is gone.
  file_id text references files on delete set null,
  is_series boolean not null,
  title text not null,
  primary key (opinion_id, position)
);
create index social_opinion_studies_file on social_opinion_studies (file_id);

create table social_opinion_readers (
  opinion_id text not null references social_opinions on delete cascade,
  user_id text not null references users on delete cascade,
  -- Since when all is answered: nothing changes from then on, and the others' answers are seen.
  done_at timestamptz,
  primary key (opinion_id, user_id)
);
create index social_opinion_readers_user on social_opinion_readers (user_id);

create table social_opinion_answers (
  opinion_id text not null references social_opinions on delete cascade,
  position integer not null,
  user_id text not null references users on delete cascade,
  -- Which of the answers, counted from 0 on.
  answer integer not null,
  note text not null,
  outline jsonb,
  at timestamptz not null,
  primary key (opinion_id, position, user_id)
);
create index social_opinion_answers_user on social_opinion_answers (user_id);
