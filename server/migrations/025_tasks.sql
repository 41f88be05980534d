-- More tasks: several labels an image, boxes, volumes, pairs of images; parts and patients that data sets name.
alter table datasets add column factor smallint check (factor between 2 and 8);

alter table dataset_items
  add column labels jsonb,
  add column boxes jsonb,
  add column depth integer,
  add column part text check (part in ('train', 'validation', 'test')),
  -- Patient or series; null = stands alone.
  add column patient text;

update datasets
set facts = facts || '{"depth": null, "spacing": null, "factor": null, "boxSide": null, "given": null, "patients": null}'
where facts is not null;

update runs set hyper = hyper || '{"depth": 1}';

update blobs
set facts = facts || '{"depth": null, "spacing": null, "orientation": null}'
where facts is not null;
