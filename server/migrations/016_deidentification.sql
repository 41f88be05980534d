-- What browsers took out of DICOM files, by the bytes that were sent: copies keep it, other bytes do not.
create table deidentifications (
  owner_id text not null references users on delete cascade,
  sha256 text not null,
  record jsonb not null,
  recorded_at timestamptz not null,
  primary key (owner_id, sha256)
);

create index deidentifications_recorded_at on deidentifications (owner_id, recorded_at);
create index deidentifications_sweep on deidentifications (recorded_at);

-- From which a member's browser makes new identifiers; without it nobody can tell which old one was which.
create table deidentification_keys (
  owner_id text primary key references users on delete cascade,
  key text not null
);
