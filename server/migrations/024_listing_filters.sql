-- With the columns that filters and searches look at, so that what they find is counted from the indexes alone.
drop index files_listing;
create index files_listing
  on files (owner_id, coalesce(parent_id, ''), kind, sort_name, id)
  include (parent_id, search_name)
  where recycled_at is null;
drop index files_by_type;
create index files_by_type
  on files (owner_id, coalesce(parent_id, ''), kind, type, sort_name, id)
  include (parent_id, search_name)
  where recycled_at is null;
