-- What the sentence of a round's failure is filled in with.
alter table label_rounds add column failure_params jsonb not null default '{}';
