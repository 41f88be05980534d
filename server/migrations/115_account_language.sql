-- The language that a member chose: taken at a sign-in in another browser, and for letters. Null: none was chosen.
alter table users add column language text check (language in ('en', 'zh', 'ru'));
