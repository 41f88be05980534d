-- Money that members ask to be paid out. What it moves stands in the ledger. Amounts are whole fen.
create table withdrawals (
  withdrawal_no text primary key check (withdrawal_no ~ '^[0-9]{20}$'),
  -- Not a reference: books outlive accounts.
  user_id text not null,
  -- Made by the page: what is sent twice is one withdrawal.
  request_id text not null,
  amount_fen bigint not null check (amount_fen > 0),
  method text not null check (method in ('alipay', 'wechat', 'bank')),
  -- Name and account, encrypted; null once it was reviewed and its member's account is closed.
  payee_seal bytea,
  state text not null check (state in ('under_review', 'recorded', 'not_passed')),
  -- In which language its letter is written.
  language text not null,
  asked_at timestamptz not null,
  -- By which administrator, who is never the member.
  reviewed_by text check (reviewed_by <> user_id),
  reviewed_at timestamptz check ((reviewed_at is null) = (state = 'under_review')),
  -- Of the payment, where it was passed; why not, where it was not.
  reference text not null default '',
  reason text not null default '',
  unique (user_id, request_id)
);
create index withdrawals_user on withdrawals (user_id, asked_at);
create index withdrawals_state on withdrawals (state, asked_at);
