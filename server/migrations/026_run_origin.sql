-- What a run was computed with: versions by name, and the device in words.
alter table runs add column versions jsonb, add column computed_on text;
