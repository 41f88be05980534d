import { type SQL, sql } from 'drizzle-orm'

/**
 * As a condition on a row of files: it may name its patient. DICOM by its ending, by a number or without one, as discs
 * have them, PAR headers, and archives, in which they lie; unless its sender took the patient out, or a look into it
 * found nobody. What nobody has looked at may; of volumes that name one seldom, only what was found to.
 */
export const namesPatient = (file: SQL): SQL => sql`(
  ${file}.kind = 'file'
  and (${file}.type = any(${sql.param(types)}) or ${file}.type ~ '^[0-9]+$')
  and not exists (
    select from deidentifications d
    where d.sha256 = ${file}.sha256 and d.owner_id in (${file}.owner_id, ${file}.modified_by)
  )
  and coalesce(
    (select p.names_patient from dicom_places p where p.sha256 = ${file}.sha256),
    not (${file}.type = any(${sql.param(seldom)}) or ${file}.search_name like '%.nii.gz')
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

/** Whether a look into a file of this name, in small letters, can tell. */
export const mayNamePatient = (name: string): boolean => {
  const type = /\.([^.]*)$/.exec(name)?.[1] ?? ''
  return types.includes(type) || /^\d+$/.test(type)
}
