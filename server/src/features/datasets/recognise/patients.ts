/** Reads from names which files come from one patient or series. Wrong groups do harm: it says nothing unless it is clear. */
import { datasets as limits } from '@neuroloom/contract/limits'
import { stemOf } from './folder-names.ts'

/** A word for a person with a number, anywhere in the path: `patient012/slice03`, `sub-01_T1w`. */
const person =
  /(?:^|[^\p{L}])((?:patient|pat|subject|subj|sub|participant|case|пациент|患者|病人|病例)[-_ ]?\d+)(?!\d)/iu
/** Letters and a number, with more behind: `PGBM-003_flair_12`, `hippocampus_083_y19`. A number alone counts files. */
const code = /^(\p{L}{2,}[-_ ]?\d{2,})[-_ .]+./u

/**
 * The patient of each name; nulls unless one of the two rules fits every name, gives no fewer patients than can be
 * split, and gives each of them two files or more on average.
 */
export function patientsOf(names: readonly string[]): (string | null)[] {
  const rules = [(name: string) => person.exec(name)?.[1], (name: string) => code.exec(stemOf(name))?.[1]]
  for (const rule of rules) {
    const found = names.map((name) => rule(name)?.toLowerCase() ?? null)
    const patients = new Set(found)
    const isClear = !patients.has(null) && patients.size >= limits.minPatients
    if (isClear && patients.size * 2 <= names.length) return found
  }
  return names.map(() => null)
}
