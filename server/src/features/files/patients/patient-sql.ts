import { type SQL, sql } from 'drizzle-orm'
import type { PatientHint } from '../../../infra/reader/patient-hint.ts'

/**
 * As a condition on a row of files: it may name its patient. What a look into the bytes found counts for every file that
 * has them, whatever it is called. Before that look, DICOM, PAR headers and archives, in which they lie, may: by their
 * first bytes, and by their endings where those promise it; volumes that name a patient seldom do not. What its sender
 * took the patient out of names nobody.
 */
export const namesPatient = (file: SQL): SQL => sql`(
  ${file}.kind = 'file'
  and not exists (
    select from deidentifications d
    where d.sha256 = ${file}.sha256 and d.owner_id in (${file}.owner_id, ${file}.modified_by)
  )
  and coalesce(
    (select p.names_patient from dicom_places p where p.sha256 = ${file}.sha256),
    (select b.patient_hint = 'likely' or null from blobs b where b.sha256 = ${file}.sha256),
    (${file}.type = any(${sql.param(types)}) or ${file}.type ~ '^[0-9]+$')
      and not (${file}.type = any(${sql.param(seldom)}) or ${file}.search_name like '%.nii.gz')
  )
)`

/** Of bytes: whether a look into them found that they name their patient. */
export const bytesNamePatient = (sha256: SQL): SQL<boolean> => sql<boolean>`exists (
  select from dicom_places p where p.sha256 = ${sha256} and p.names_patient
)`

/** NIfTI, Analyze, NRRD and MetaImage have no place of their own for it. */
const seldom = ['nii', 'hdr', 'nrrd', 'nhdr', 'mha', 'mhd']
const types = [
  ...['dcm', 'dicom', 'ima', '', 'par', ...seldom],
  ...['zip', 'tar', 'tgz', 'gz', 'bz2', 'xz', '7z', 'rar', 'zst'],
]

/** Whether a look into a file can tell, by its name in small letters and by its first bytes. */
export const mayNamePatient = (name: string, hint: PatientHint | null): boolean => {
  if (hint !== null && hint !== 'none') return true
  const type = /\.([^.]*)$/.exec(name)?.[1] ?? ''
  return types.includes(type) || /^\d+$/.test(type)
}
