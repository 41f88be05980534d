-- What of a project's study only people know: one answer a question, none where it is empty.
create table project_statements (
  project_id text not null references projects (id) on delete cascade,
  name text not null,
  text text not null,
  modified_at timestamptz not null,
  primary key (project_id, name)
);
