-- What DICOM files became for networks: pictures and volumes, made once of the same bytes with the same window.
create table derived_images (
  -- Digest of the sources, of what was made and by which window.
  key text primary key,
  -- Null = nothing can be made of them, with the reason.
  sha256 text references blobs (sha256),
  unfit jsonb,
  used_at timestamptz not null,
  check ((sha256 is null) <> (unfit is null))
);
create index derived_images_sha256 on derived_images (sha256);
create index derived_images_used_at on derived_images (used_at);

create table derived_sources (
  key text not null references derived_images (key) on delete cascade,
  sha256 text not null references blobs (sha256) on delete cascade,
  primary key (key, sha256)
);
create index derived_sources_sha256 on derived_sources (sha256);
