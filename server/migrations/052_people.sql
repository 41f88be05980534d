-- What tables beside the images say of an item's person: age, sex and what its owner chose; reports tell sums of it.
alter table dataset_items add column about jsonb;
