-- What the first bytes say, whatever the file is called; null = nobody has looked at them.
alter table blobs add column patient_hint text check (patient_hint in ('likely', 'seldom', 'none'));
create index blobs_patient_hint on blobs (created_at) where patient_hint is null;
-- Headers were read for fewer signs of a patient than now: what was found free is looked at again.
delete from dicom_places where names_patient is distinct from true;
