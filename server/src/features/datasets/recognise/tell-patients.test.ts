import type { FileFacts } from '@neuroloom/contract/engine'
import type { PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { describe, expect, it } from 'vitest'
import { type Item, plainItem } from './shapes.ts'
import { tellPatients } from './tell-patients.ts'

const facts: FileFacts = {
  ...{ format: 'png', width: 10, height: 8, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
}
const itemOf = (path: string, over: Partial<Item> = {}): Item => ({ ...plainItem(path, facts), ...over })

function told(
  items: readonly Item[],
  {
    tables = {},
    rule = null,
    classes = [],
  }: { tables?: Record<string, string>; rule?: PatientRule | null; classes?: string[] } = {},
) {
  const folder = {
    paths: [...items.map(({ image }) => image), ...Object.keys(tables)],
    emptyFolders: [],
    read: async (path: string) => tables[path] ?? null,
  }
  return tellPatients(folder, { items, classes, rule })
}

const six = ['a/p1_1.png', 'a/p1_2.png', 'a/p2_1.png', 'b/p2_2.png', 'b/p3_1.png', 'b/other.png']
const patientSix = six.map((path) => itemOf(path.replace('/p', '/patient')))
const tableSix =
  'file,patient,age\npatient1_1,A,60\npatient1_2,A,60\npatient2_1,B,61\npatient2_2,C,61\nother,C,70'

describe('who the items come from', () => {
  it('is told by names where nothing else tells it, and by examples', async () => {
    const { patients, origin } = await told(patientSix, { classes: ['a', 'b'] })
    expect(patients).toEqual(['patient1', 'patient1', 'patient2', 'patient2', 'patient3', null])
    expect(origin).toMatchObject({
      ...{ items: 5, patients: 3, single: 1, pattern: 'patient…', isChosen: false, pairs: 0, tooFew: 0 },
      rule: { by: 'name', example: 'a/patient1_1.png', from: 2, to: 10 },
    })
    expect(origin.samples).toContainEqual({ name: 'b/other.png', patient: null })
    expect(origin.samples.slice(0, 2).map(({ patient }) => patient)).toEqual(['patient1', 'patient1'])
  })

  it('is told by a table before names, beside any layout, and by names where the table is silent', async () => {
    const { patients, origin } = await told(patientSix, { tables: { 'who.csv': tableSix } })
    expect(patients).toEqual(['A', 'A', 'B', 'C', 'patient3', 'C'])
    expect(origin).toMatchObject({
      rule: { by: 'table', column: 'patient' },
      pattern: 'patient',
      patients: 4,
    })
    expect(origin.options.map(({ rule }) => rule.by)).toContain('name')
  })

  it('is one person where tables call the patient of an image by two names, and both are named', async () => {
    const { patients, problems } = await told(patientSix, {
      tables: { 'a.csv': tableSix, 'b.tsv': 'image\tpatient_id\npatient1_1\tB\npatient3_1\tC' },
    })
    expect(patients).toEqual(['A', 'A', 'A', 'C', 'C', 'C'])
    expect(problems).toEqual([
      { path: 'a/patient1_1.png', reason: 'patient_clash', params: { one: 'A', other: 'B' } },
    ])
  })

  it('is told by a sheet of a workbook, and by a table that names folders', async () => {
    const sheet = [
      ['file', 'Patient ID'],
      ['patient1_1.png', 'A'],
      ['patient2_1.png', 'A'],
    ]
    const folder = {
      paths: [...patientSix.map(({ image }) => image), 'who.xlsx'],
      ...{ emptyFolders: [], read: async () => null },
      workbook: async () => ({ sheets: [{ name: 'Sheet1', rows: sheet, merged: [], isCut: false }] }),
    }
    const ofBook = await tellPatients(folder, { items: patientSix, classes: [], rule: null })
    expect(ofBook.patients.slice(0, 3)).toEqual(['A', 'patient1', 'A'])
    const cases = ['w1/a.png', 'w1/b.png', 'w2/a.png', 'w3/a.png'].map((path) => itemOf(path))
    const ofFolders = await told(cases, { tables: { 't.csv': 'case,patient\nw1,A\nw2,A\nw3,B' } })
    expect(ofFolders.patients).toEqual(['A', 'A', 'A', 'B'])
  })

  it('is also one person where one table names an image twice', async () => {
    const { patients, problems } = await told(patientSix, {
      tables: { 't.csv': 'image,patient\npatient1_1,A\npatient1_1,B\npatient2_1,B\npatient2_2,C' },
    })
    expect(patients.slice(0, 4)).toEqual(['A', 'patient1', 'A', 'C'])
    expect(problems).toHaveLength(1)
  })

  it('is told by what files say of themselves before names', async () => {
    const items = patientSix.map((item, index) => ({ ...item, patient: index < 4 ? `id${index}` : null }))
    const { patients, origin } = await told(items)
    expect(patients).toEqual(['id0', 'id1', 'id2', 'id3', 'patient3', null])
    expect(origin.rule).toEqual({ by: 'file' })
  })

  it('is nobody where all files say one patient, who could not be split', async () => {
    const { patients, origin } = await told(
      ['1.png', '2.png', '3.png'].map((path) => itemOf(path, { patient: 'x' })),
    )
    expect(patients).toEqual([null, null, null])
    expect(origin).toMatchObject({ rule: { by: 'none' }, tooFew: 1, items: 0, single: 3 })
  })

  it.each<[PatientRule, (string | null)[]]>([
    [{ by: 'none' }, [null, null, null, null, null, null]],
    [{ by: 'table', column: 'age' }, ['60', '60', '61', '61', null, '70']],
    [{ by: 'table', column: 'unknown' }, [null, null, null, null, null, null]],
    [{ by: 'name', example: 'a/patient1_1.png', from: 11, to: 12 }, ['1', '2', '1', '2', '1', null]],
  ])('is what the member decides: %o', async (rule, patients) => {
    const found = await told(patientSix, { tables: { 'who.csv': tableSix }, rule })
    expect(found.patients).toEqual(patients)
    expect(found.origin).toMatchObject({ rule, isChosen: true })
  })

  it.each([
    ['nuclei', ['12', '12', '40', '40', '7', '7'], false],
    ['foreground_share', ['0.12', '0.12', '0.40', '0.40', '1e-3', '1e-3'], false],
    ['number_of_cells', ['12', '12', '40', '40', '7', '7'], false],
    ['age', ['60', '60', '61', '61', '62', '62'], false],
    ['Scanner', ['A', 'A', 'B', 'B', 'C', 'C'], false],
    ['record_id', ['12', '12', '40', '40', '7', '7'], true],
    ['住院编号', ['12', '12', '40', '40', '7', '7'], true],
    ['animal', ['0012', '0012', '0040', '0040', '0007', '0007'], true],
    ['donor name', ['x1', 'x1', 'x2', 'x2', 'x3', 'x3'], true],
  ])('offers a column %s of a table only where it could name people', async (column, cells, isOffered) => {
    const rows = six.map((path, index) => `${path.split('/').at(-1)},${cells[index]}`)
    const { origin } = await told(
      six.map((path) => itemOf(path)),
      { tables: { 't.csv': ['file', ...rows].join('\n').replace('file', `file,${column}`) } },
    )
    const offered = origin.options.flatMap(({ rule }) => (rule.by === 'table' ? [rule.column] : []))
    expect(offered).toEqual(isOffered ? [column] : [])
  })

  it('offers what else could tell it, with counts, and neither classes nor what comes to the same', async () => {
    const names = [1, 2, 3, 4].flatMap((p) =>
      [1, 2].map((s) => `${p > 2 ? 'sick' : 'well'}/${p}${p}_${s}.png`),
    )
    const { origin } = await told(
      names.map((name) => itemOf(name)),
      {
        classes: ['sick', 'well'],
        tables: { 't.csv': `image,visit\n${names.map((name, index) => `${name},v${index % 4}`).join('\n')}` },
      },
    )
    expect(origin.rule).toEqual({ by: 'none' })
    expect(origin.options.map(({ rule, patients, single }) => [rule.by, patients, single])).toEqual([
      ['table', 4, 0],
      ['name', 4, 0],
    ])
    expect(origin.options[1]).toMatchObject({ pattern: '…_1', rule: { from: 5, to: 7 } })
  })

  it('offers no part of names that are drawn by lot', async () => {
    const names = [
      '8b77284d6f37ab3f',
      '8b77222c72b9d411',
      'b1e3aeb0c56261c1',
      '35e3d9903d160740',
      '35b30808f3bdd358',
    ]
    const { origin } = await told(names.map((name) => itemOf(`${name}.png`)))
    expect(origin.options).toEqual([])
  })

  it('counts items given for the test whose patients are given for learning', async () => {
    const parts = ['train', 'test', 'validation', 'test', 'test', 'test'] as const
    const { origin } = await told(patientSix.map((item, index) => ({ ...item, part: parts[index] ?? null })))
    expect(origin).toMatchObject({ crossing: 2, aside: 0 })
  })
})
