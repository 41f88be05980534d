-- A mask of where in an item's image there is something to see; nothing else counts.
alter table dataset_items add column region_sha256 text references blobs (sha256);
create index dataset_items_region on dataset_items (region_sha256) where region_sha256 is not null;
