import type { FileFacts } from '@neuroloom/contract/engine'
import { describe, expect, it } from 'vitest'
import { numberIn, withPeople } from './people.ts'
import { type Item, plainItem } from './shapes.ts'

const facts: FileFacts = {
  ...{ format: 'png', width: 10, height: 8, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
}
const items = [1, 2, 3, 4, 5, 6].map(
  (n): Item => ({ ...plainItem(`a/${n}.png`, facts), patient: n < 6 ? `P-0${Math.ceil(n / 2)}` : null }),
)
const told = (tables: Record<string, string>, chosen: string[] = [], of: readonly Item[] = items) =>
  withPeople(
    {
      paths: [...of.map(({ image }) => image), ...Object.keys(tables)],
      emptyFolders: [],
      read: async (path) => tables[path] ?? null,
    },
    { items: of, chosen },
  )

describe('what tables say of persons', () => {
  it('is found by the file, and unknown values are left out', async () => {
    const { about, people } = await told({
      't.csv': 'image,Age,Sex,note\n1,61,F,x1\n2.png,N/A,F,x2\n4,58,м,x3\n9,1,m,x4',
    })
    expect(about.slice(0, 4)).toEqual([{ Age: '61', Sex: 'F' }, { Sex: 'F' }, null, { Age: '58', Sex: 'м' }])
    expect(people?.columns).toEqual([
      { name: 'Age', kind: 'age', items: 2 },
      { name: 'Sex', kind: 'sex', items: 3 },
    ])
  })

  it('is found by the patient, in words of three languages, and for all images of one', async () => {
    const { about } = await told({ 't.csv': 'пациент;возраст;пол\nP01;61;ж\np-02;58;м\nP-09;3;м' })
    expect(about.map((one) => one?.возраст ?? null)).toEqual(['61', '61', '58', '58', null, null])
    const chinese = await told({ 't.csv': '患者编号,年龄,性别\nP-03,70,女' })
    expect(chinese.about[4]).toEqual({ 年龄: '70', 性别: '女' })
  })

  it('is found by the patient however many zeros a table writes, and never by what could be two', async () => {
    const named = ['p1', 'p20', 'Q01', 'Q1', '7'].map(
      (patient, n): Item => ({ ...plainItem(`b/${n}.png`, facts), patient }),
    )
    const table = 'patient,age\nP001,61\nP020,58\nq1,30\nQ001,4\n007,70'
    const { about } = await told({ 'b/t.csv': table }, [], named)
    expect(about.map((one) => one?.age ?? null)).toEqual(['61', '58', null, '30', '70'])
  })

  it('is found by the bare number where all patients are called by the same letters', async () => {
    const named = (patients: string[]) =>
      patients.map((patient, n): Item => ({ ...plainItem(`b/${n}.png`, facts), patient }))
    const ages = async (patients: string[]) => {
      const { about } = await told({ 'b/t.csv': 'patient,age\n1,61\n02,58' }, [], named(patients))
      return about.map((one) => one?.age ?? null)
    }
    expect(await ages(['P001', 'P002', 'P010'])).toEqual(['61', '58', null])
    // Whose first is meant?
    expect(await ages(['P001', 'Q001', 'Q002'])).toEqual([null, null, null])
    expect(await ages(['P1', 'P001', 'P002'])).toEqual([null, null, '58'])
  })

  it('names a table that tells of persons who are not here', async () => {
    const tables = {
      'people.csv': 'patient,age\nX9,61\nX8,58',
      'wards.csv': 'ward,sex\nC,f\nD,m',
      'beds.csv': 'patient,bed\nX9,4',
    }
    expect((await told(tables)).people).toEqual({
      columns: [],
      options: [],
      unmatched: ['people.csv', 'wards.csv'],
    })
    const some = await told({ 'a.csv': 'image,age\n1,61\n2,50', 'people.csv': 'patient,age\nX9,61' })
    expect(some.people).toMatchObject({ columns: [{ name: 'age', items: 2 }], unmatched: ['people.csv'] })
    expect((await told({ 'a.csv': 'image,age\n1,61\n2,50' })).people?.unmatched).toBeUndefined()
  })

  it('takes further columns where their owner chose them; what differs from person to person is not offered', async () => {
    const table = 'image,age,stage,name\n1,61,II,Ann\n2,61,II,Ann\n3,58,II,Bob\n5,50,I,Cem\n6,40,I,Dan'
    const asFound = await told({ 't.csv': table })
    expect(asFound.people?.options).toEqual(['stage'])
    expect(asFound.about[0]).toEqual({ age: '61' })
    expect((await told({ 't.csv': table }, ['stage', 'name'])).about[0]).toEqual({ age: '61', stage: 'II' })
  })

  it('is nothing without such a table', async () => {
    expect((await told({})).people).toBeNull()
    expect((await told({ 't.csv': 'image,bed\n77,1\n78,2' })).people).toBeNull()
  })
})

it.each([
  ['61', 61],
  ['61,5', 61.5],
  ['061Y', 61],
  ['006M', 0.5],
  ['61 лет', 61],
  ['60-69', null],
  ['', null],
])('reads %s as %s', (cell, value) => {
  expect(numberIn(cell)).toBe(value)
})
