-- How far two readers agree on an image; worked out anew when one of them goes on.
create table label_agreements (
  one_id text not null references label_readings on delete cascade,
  other_id text not null references label_readings on delete cascade,
  one_seq integer not null,
  other_seq integer not null,
  found jsonb not null,
  primary key (one_id, other_id)
);
create index label_agreements_other on label_agreements (other_id);
