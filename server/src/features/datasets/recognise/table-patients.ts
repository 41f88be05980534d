/** Patients of images from tables that lie beside any layout. */
import type { Problem } from '@neuroloom/contract/datasets'
import { findersFor } from './find-image.ts'
import type { Folder } from './shapes.ts'
import { labelTablesOf, sheetsOf } from './table-sheets.ts'
import { type Shape, shapeOf } from './table-survey.ts'

/** What one column of one table says, by image. */
type Column = { name: string; isPatient: boolean; said: Map<string, Set<string>> }

export type PatientTables = {
  /** By the name of the column; those that are called like patients first. */
  columns: Map<string, { isPatient: boolean; said: Map<string, Set<string>> }>
}

/** All columns by which images could be put together; a table that cannot be read says nothing here. */
export async function patientTables(folder: Folder, images: readonly string[]): Promise<PatientTables> {
  const findersOf = findersFor(images)
  const most = images.length > MANY ? 0 : MOST_COLUMNS
  const all: Column[] = []
  // Where labels are read from tables, it is said there which of them cannot be read.
  for await (const sheet of sheetsOf(folder, labelTablesOf(folder.paths, images), [])) {
    const shape = shapeOf(sheet, findersOf(sheet.path))
    if (shape) all.push(...columnsIn(shape, most))
  }
  const columns: PatientTables['columns'] = new Map()
  for (const { name, isPatient, said } of all.sort((one, other) => +other.isPatient - +one.isPatient)) {
    const known = columns.get(name)
    if (!known) columns.set(name, { isPatient, said })
    else for (const [image, patients] of said) join(known.said, image, patients)
  }
  return { columns }
}

/** By image: one patient, or the joined names of all that are said of it, so that nothing leaks; and who clashes. */
export function patientsSaid(said: Map<string, Set<string>>): {
  patients: Map<string, string>
  problems: Problem[]
} {
  const spelled = new Map<string, string>()
  const asFirstSpelled = (name: string): string => {
    const key = keyOf(name)
    const known = spelled.get(key)
    if (known === undefined) spelled.set(key, name)
    return known ?? name
  }
  const joined = new Map<string, string>()
  const rootOf = (name: string): string => {
    const above = joined.get(name)
    return above === undefined ? name : rootOf(above)
  }
  const problems: Problem[] = []
  const meant = [...said].map(
    ([path, names]) => [path, [...new Set([...names].map(asFirstSpelled))]] as const,
  )
  for (const [path, [first, ...others]] of meant) {
    for (const other of others) {
      if (first === undefined) continue
      problems.push({ path, reason: 'patient_clash', params: { one: first, other } })
      const [one, two] = [rootOf(first), rootOf(other)]
      if (one !== two) joined.set(two, one)
    }
  }
  const patients = new Map<string, string>()
  for (const [path, [first]] of meant) if (first !== undefined) patients.set(path, rootOf(first))
  return { patients, problems }
}

/**
 * `P-01`, `p1` and `P 01` are one person, and 12 is 12.0 and 0012: of one who is two, half would be learned from and the other
 * half tested on.
 */
function keyOf(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
  const parts = plain.replace(/^(\d+)[.,]0+$/, '$1').match(/[\p{L}\p{M}]+|\d+/gu)
  return parts?.map((part) => part.replace(/^0+(?=\d)/, '')).join(' ') ?? plain
}

/** Of all tables, and of all columns that are called like patients. */
export function patientColumnOf({ columns }: PatientTables): {
  name: string
  said: Map<string, Set<string>>
} | null {
  const named = [...columns].filter(([, { isPatient }]) => isPatient)
  const [first] = named
  if (!first) return null
  const said = new Map<string, Set<string>>()
  for (const [, column] of named) for (const [image, patients] of column.said) join(said, image, patients)
  return { name: first[0], said }
}

/** Of so many images, only columns that are called like patients are read. */
const MANY = 20_000
/** Beyond these a table holds measurements. */
const MOST_COLUMNS = 12

function columnsIn({ head, columns, rows, imagesOf }: Shape, most: number): Column[] {
  const own = [columns.image, columns.label, columns.part]
  const wanted = head.flatMap((name, index): (Column & { index: number })[] =>
    name === '' || own.includes(index)
      ? []
      : [{ index, name, isPatient: index === columns.patient, said: new Map() }],
  )
  const others = wanted.filter(({ isPatient }) => !isPatient).slice(0, most)
  const read = [...wanted.filter(({ isPatient }) => isPatient), ...others]
  for (const { cells } of rows) {
    for (const image of imagesOf(cells[columns.image] ?? '')) {
      for (const { index, said } of read) {
        const cell = (cells[index] ?? '').normalize('NFC')
        if (cell !== '') join(said, image, new Set([cell]))
      }
    }
  }
  return read
}

function join(said: Map<string, Set<string>>, image: string, patients: Set<string>): void {
  const known = said.get(image)
  if (!known) said.set(image, new Set(patients))
  else for (const patient of patients) known.add(patient)
}
