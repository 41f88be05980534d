-- What the reader found to be said of a source beside what was compared, and of what it made for networks.
alter table conversion_items add column notes jsonb not null default '[]';
alter table derived_images add column notes jsonb not null default '[]';
