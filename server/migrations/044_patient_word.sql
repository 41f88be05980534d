-- Whether the owner gave the word that files which name their patient are given too, those that come in later as well.
alter table file_shares add column with_patients boolean not null default false;
alter table file_links add column with_patients boolean not null default false;
alter table files add column public_with_patients boolean not null default false;
-- Null = nobody has looked.
alter table dicom_places add column names_patient boolean;
