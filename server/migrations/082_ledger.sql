-- A double-entry ledger: amounts of every entry sum to zero in each unit, and what is written stays as it was written.
create table ledger_accounts (
  id bigserial primary key,
  -- A member's id, or of whom else: the platform, a provider of payments. Outlives the member: books are kept.
  owner text not null,
  kind text not null check (
    kind in ('outside', 'income', 'fees', 'wallet', 'held', 'withdrawing', 'points', 'points_given')
  ),
  unit text not null check (unit in ('fen', 'point')),
  -- Kept by the database from the postings.
  balance bigint not null default 0,
  unique (owner, kind, unit),
  -- Only points may fall below zero, when a refund takes them back.
  check (balance >= 0 or kind not in ('wallet', 'held', 'withdrawing'))
);

create table ledger_entries (
  id bigserial primary key,
  -- What happened, and to what: the same never happens twice.
  kind text not null,
  source text not null,
  note jsonb not null default '{}',
  at timestamptz not null,
  unique (kind, source)
);

create table ledger_postings (
  entry_id bigint not null references ledger_entries,
  account_id bigint not null references ledger_accounts,
  amount bigint not null check (amount <> 0),
  primary key (entry_id, account_id)
);

create index ledger_postings_account on ledger_postings (account_id, entry_id);

create function ledger_carry() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance = balance + new.amount where id = new.account_id;
  return null;
end $$;

create trigger ledger_carry after insert on ledger_postings for each row execute function ledger_carry();

create function ledger_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_postings join ledger_accounts on ledger_accounts.id = account_id
    where entry_id = new.entry_id group by unit having sum(amount) <> 0
  ) then
    raise exception 'ledger entry % does not sum to zero', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- At the end of the transaction: an entry is written posting by posting.
create constraint trigger ledger_balanced after insert on ledger_postings
  deferrable initially deferred for each row execute function ledger_balanced();

create function ledger_written() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only ever added to' using errcode = 'check_violation';
end $$;

create trigger ledger_written before update or delete or truncate on ledger_entries
  for each statement execute function ledger_written();
create trigger ledger_written before update or delete or truncate on ledger_postings
  for each statement execute function ledger_written();
create trigger ledger_written before delete or truncate on ledger_accounts
  for each statement execute function ledger_written();

create function ledger_carried() returns trigger language plpgsql as $$
begin
  -- Only the postings move a balance, and nothing moves an account to somebody else.
  if (new.id, new.owner, new.kind, new.unit) is distinct from (old.id, old.owner, old.kind, old.unit)
    or pg_trigger_depth() < 2 then
    raise exception 'a balance is the sum of its postings' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger ledger_carried before update on ledger_accounts for each row execute function ledger_carried();
