-- With the column behind the expression, so that a folder is counted from the index alone.
drop index files_listing;
create index files_listing
  on files (owner_id, coalesce(parent_id, ''), kind, sort_name, id)
  include (parent_id)
  where recycled_at is null;
