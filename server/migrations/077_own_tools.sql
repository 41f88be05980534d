-- Tools that members make: a kept recipe as it was then, or a trained network, with the settings that others may choose.
create table own_tools (
  id text primary key,
  owner_id text not null references users on delete cascade,
  name text not null,
  about text not null default '',
  picture text not null,
  kind text not null check (kind in ('recipe', 'network')),
  -- A copy: what is changed in the kept recipe later changes no results in silence.
  recipe jsonb,
  recipe_id text references recipes on delete set null,
  run_id text references runs on delete set null,
  -- What it was made of, as that was called, and its state then.
  source_name text not null,
  made_from timestamptz not null,
  open jsonb not null default '[]',
  created_at timestamptz not null
);

create unique index own_tools_name on own_tools (owner_id, name);
create index own_tools_recipe on own_tools (recipe_id);
create index own_tools_run on own_tools (run_id);

-- To a member or to a group. A withdrawn one stays, so that whoever had the tool is told why it does not work.
create table own_tool_shares (
  id text primary key,
  tool_id text not null references own_tools on delete cascade,
  user_id text references users on delete cascade,
  group_id text references file_groups on delete cascade,
  shared_at timestamptz not null,
  expires_at timestamptz,
  withdrawn_at timestamptz
);

create unique index own_tool_shares_user on own_tool_shares (user_id, tool_id) where user_id is not null;
create unique index own_tool_shares_group on own_tool_shares (group_id, tool_id) where group_id is not null;
create index own_tool_shares_tool on own_tool_shares (tool_id);

-- Answers of predictions by such tools, laid into the cloud of whoever asked.
create table own_tool_results (
  run_id text primary key references runs on delete cascade,
  folder_id text references files on delete set null
);

create index own_tool_results_folder on own_tool_results (folder_id);

-- Of a prediction by a tool: which, as it was called.
alter table runs add column tool jsonb;
-- Of a tool that a member made: as it was called.
alter table tool_uses add column tool_name text;
