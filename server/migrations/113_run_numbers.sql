-- Runs are numbered kind by kind: the first test of a project is Test 1, whatever was trained before. Runs that exist keep their numbers.
alter table runs drop constraint runs_number;
alter table runs add constraint runs_number unique (project_id, kind, number);

alter table run_numbers drop constraint run_numbers_pkey;
alter table run_numbers add column kind text;

-- Each kind goes on after its highest number. The number of a deleted run is never given out again: where runs were deleted,
-- nobody knows their kinds any more, so there every kind goes on after the last number of all.
insert into run_numbers (project_id, kind, last)
select
  before.project_id,
  kinds.kind,
  case
    when before.last = (select count(*) from runs where runs.project_id = before.project_id)
    then coalesce(max(runs.number), 0)
    else before.last
  end
from run_numbers as before
cross join (values ('train'), ('test'), ('predict'), ('flow'), ('flow_train')) as kinds (kind)
left join runs on runs.project_id = before.project_id and runs.kind = kinds.kind
group by before.project_id, before.last, kinds.kind;

delete from run_numbers where kind is null;
alter table run_numbers alter column kind set not null;
alter table run_numbers add primary key (project_id, kind);
