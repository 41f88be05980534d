alter table users
  add column card_type text not null default '',
  add column card_seal bytea;

alter table codes rename column phone_key to account_key;
alter index codes_phone rename to codes_account;
