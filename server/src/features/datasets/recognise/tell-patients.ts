/** Decides who each item comes from: the member's word, then tables, then the files themselves, then names. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import {
  countPatients,
  type PatientCounts,
  type PatientOrigin,
  type PatientRule,
  patientReader,
  patternOf,
} from '@neuroloom/contract/reading/patient-rule'
import { seenBefore } from '../data-facts.ts'
import { countedOf, nameOptions, signatureOf } from './patient-options.ts'
import { patientsInNames } from './patients.ts'
import type { Folder, Item } from './shapes.ts'
import { mayNamePatients } from './table-columns.ts'
import { type PatientTables, patientColumnOf, patientsSaid, patientTables } from './table-patients.ts'

type Patients = (string | null)[]
type Told = Pick<PatientOrigin, 'rule' | 'pattern' | 'pairs' | 'tooFew'> & {
  patients: Patients
  problems: Problem[]
}
type Asked = { items: readonly Item[]; classes: readonly string[]; rule: PatientRule | null }

export type PatientsTold = { patients: Patients; problems: Problem[]; origin: PatientOrigin }

/** `rule`: what the member decided; null = as found. */
export async function tellPatients(folder: Folder, { items, classes, rule }: Asked): Promise<PatientsTold> {
  // Pages are told by their file: no table names them, and their numbers say nothing.
  const images = items.map(({ image, stack }) => stack ?? image)
  const tables = await patientTables(folder, images)
  const known: Known = {
    names: items.map(({ name, stack }) => stack ?? name),
    stacks: items.map(({ stack = null }) => stack),
    images,
    classes,
    tables,
    ofFiles: ofFiles(items, tables),
  }
  const told = rule === null ? asFound(known) : asDecided(rule, known)
  const named = known.names.map((name, index) => ({ name, patient: told.patients[index] ?? null }))
  const parted = items.map(({ part }, index) => ({ part, patient: told.patients[index] ?? null }))
  return {
    patients: told.patients,
    problems: told.problems,
    origin: {
      ...countPatients(named, told.pattern),
      ...{ rule: told.rule, isChosen: rule !== null, pairs: told.pairs, tooFew: told.tooFew },
      ...{ crossing: seenBefore(parted).length, aside: 0 },
      options: optionsOf(known, told.patients),
    },
  }
}

type Known = {
  names: string[]
  images: string[]
  classes: readonly string[]
  tables: PatientTables
  /** What the files say of themselves. */
  ofFiles: Patients
  /** The file of each page: what else is of the same patient, nothing needs to tell. */
  stacks: Patients
}

/** An item's own patient, where it is not from a table that was read for labels. */
function ofFiles(items: readonly Item[], { columns }: PatientTables): Patients {
  return items.map(({ image, patient }) => {
    const isOfTable = [...columns.values()].some(({ said }) => said.get(image)?.has(patient ?? ''))
    return isOfTable ? null : patient
  })
}

function asFound(known: Known): Told {
  const column = patientColumnOf(known.tables)
  const table = patientsSaid(column?.said ?? new Map())
  const ofTable = known.images.map((image) => table.patients.get(image) ?? null)
  const said = ofTable.map((patient, index) => patient ?? known.ofFiles[index] ?? null)
  const rest = said.flatMap((patient, index) => (patient === null ? [index] : []))
  const named = patientsInNames(
    rest.map((index) => known.names[index] ?? ''),
    known.classes,
  )
  const patients = [...said]
  for (const [place, index] of rest.entries())
    patients[index] = named.patients[place] ?? known.stacks[index] ?? null
  const { problems } = table
  if (column && table.patients.size > 0) {
    const rule: PatientRule = { by: 'table', column: column.name }
    return { patients, problems, rule, pattern: column.name, pairs: named.pairs, tooFew: 0 }
  }
  const isNamed = named.rule.by !== 'none' || known.stacks.every((stack) => stack === null)
  if (rest.length === said.length && isNamed) return { ...named, patients, problems }
  const groups = countedOf(patients)
  const isFew = isTooFew(groups.persons + said.length - groups.items, said.length)
  if (isFew) return { ...nobody(said), problems, tooFew: groups.persons }
  return { patients, problems, rule: { by: 'file' }, pattern: '', pairs: named.pairs, tooFew: 0 }
}

const isTooFew = (groups: number, items: number): boolean =>
  groups < limits.minPatients && items >= limits.minPatients

const nobody = (items: readonly unknown[]): Told => ({
  patients: items.map(() => null),
  ...{ problems: [], rule: { by: 'none' }, pattern: '', pairs: 0, tooFew: 0 },
})

function asDecided(rule: PatientRule, { names, images, tables, ofFiles, stacks }: Known): Told {
  const own = ofFiles.map((patient, index) => patient ?? stacks[index] ?? null)
  const told = { ...nobody(names), rule, pattern: patternOf(rule) }
  switch (rule.by) {
    case 'none':
      return told
    case 'file':
      return { ...told, patients: own }
    case 'name':
      return { ...told, patients: names.map(patientReader(rule)) }
    case 'table': {
      const { patients, problems } = patientsSaid(tables.columns.get(rule.column)?.said ?? new Map())
      return { ...told, patients: images.map((image) => patients.get(image) ?? null), problems }
    }
  }
}

/** Columns of tables beyond this are no help to choose from. */
const COLUMNS = 4

/** Without what comes to the same as is told now. */
function optionsOf({ names, images, classes, tables, ofFiles: own }: Known, now: Patients): Option[] {
  const columns = [...tables.columns].flatMap(([column, { said, isPatient }]): Offered[] => {
    if (!isPatient && !mayNamePatients(column, new Set([...said.values()].flatMap((values) => [...values]))))
      return []
    const { patients } = patientsSaid(said)
    const told = images.map((image) => patients.get(image) ?? null)
    return isPatient || countedOf(told).isUseful ? [{ rule: { by: 'table', column }, patients: told }] : []
  })
  const file: Offered[] = own.some((patient) => patient !== null)
    ? [{ rule: { by: 'file' }, patients: own }]
    : []
  const parts = nameOptions(names, new Set(classes)).map(
    ({ marked, patients }): Offered => ({ rule: { by: 'name', ...marked }, patients }),
  )
  const seen = new Set([signatureOf(now)])
  return [...columns.slice(0, COLUMNS), ...file, ...parts].flatMap(({ rule, patients }) => {
    const signature = signatureOf(patients)
    if (seen.has(signature)) return []
    seen.add(signature)
    const named = names.map((name, index) => ({ name, patient: patients[index] ?? null }))
    return [{ rule, ...countPatients(named, patternOf(rule)) }]
  })
}

type Offered = { rule: PatientRule; patients: Patients }
type Option = PatientCounts & { rule: PatientRule }
