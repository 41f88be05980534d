-- Audit events form a hash chain. Events are inserted without a position; a short step after the commit gives every event
-- its position and hash, so that no transaction waits for another one. Events of before are sealed at the next start.
alter table audit_events
  -- Small facts about the object: no patient data, no secrets.
  add column before jsonb,
  add column after jsonb,
  -- The hash covers address_hash, not the address. The salt is deleted together with the address.
  add column address_salt text default gen_random_uuid()::text,
  add column address_hash text,
  add column position bigint unique,
  add column hash text,
  add check ((position is null) = (hash is null)),
  add check (position is null or address_hash is not null);

create index audit_events_unsealed on audit_events (id) where position is null;

-- One row: the last sealed event.
create table audit_head (
  id smallint primary key default 1 check (id = 1),
  position bigint not null,
  hash text not null
);
insert into audit_head (position, hash) values (0, '');
