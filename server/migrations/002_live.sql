create table live_events (
  id bigserial primary key,
  topic text not null,
  type text not null,
  data jsonb not null,
  source text unique,
  at timestamptz not null default now()
);

create index live_events_topic on live_events (topic, id);
