-- Recipes take DICOM: what is made of an item's files before its steps.
alter table preparation_items add column dicom text check (dicom in ('values', 'mask', 'volume'));
