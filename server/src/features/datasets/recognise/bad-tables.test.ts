import { asFound } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { images } from '../../../../test/dataset-texts.ts'
import { findIn, labelsOf, numbered, table } from '../../../../test/layouts.ts'
import type { Layout } from './shapes.ts'

describe('bad tables', () => {
  const six = images(...numbered(6, (n) => `${n}.png`))
  const said = async (files: Record<string, string>, task: Task = 'classification') => {
    const found = await findIn({ ...six, ...files }, task)
    const problems = 'problems' in found ? (found.problems ?? []) : []
    return problems.map(({ path, reason, params }) => [path, reason, params])
  }
  const rows = (...words: string[]): string =>
    table('image,label', ...words.map((word, at) => `${at + 1}.png,${word}`))

  it('that disagree are named, and neither is believed', async () => {
    const files = { 'a.csv': rows('x', 'y', 'x', 'y', 'x', 'y'), 'b.csv': rows('x', 'x', 'x', 'y', 'x', 'y') }
    const found = await findIn({ ...six, ...files }, 'classification')
    expect(found).toMatchObject({ layout: 'csv_labels' })
    expect(labelsOf(found as Layout).has('2.png')).toBe(false)
    expect(await said(files)).toEqual([
      ['2.png', 'tables_disagree', { label: 'y', table: 'a.csv', otherLabel: 'x', otherTable: 'b.csv' }],
    ])
  })

  it('longer than is read are named, not cut', async () => {
    const long = `image,label\n${'1.png,a\n'.repeat(2_000_000)}`
    expect(await said({ 'long.csv': long })).toEqual([['long.csv', 'table_too_long', { rows: 500_000 }]])
  })

  it('with another BOM, lines of Windows and no head are read', async () => {
    const bare = `\ufeff${numbered(6, (n) => `${n}.png;${n % 2 ? 'a' : 'b'}`).join('\r\n')}`
    expect(await findIn({ ...six, 'labels.csv': bare }, 'classification')).toMatchObject({
      layout: 'csv_labels',
      classes: ['a', 'b'],
      problems: [],
    })
  })

  it('with an age that is equal to the number of an image take the column of images all the same', async () => {
    const ages = table('age,name,label', ...numbered(6, (n) => `${7 - n},${n}.png,${n % 2 ? 'a' : 'b'}`))
    const found = await findIn({ ...six, 'labels.csv': ages }, 'classification')
    expect(labelsOf(found as Layout).get('1.png')).toEqual(['a'])
  })
})

describe('what its owner decides', () => {
  const files = {
    ...images(
      ...numbered(12, (n) => `${n % 3 ? 'wrist' : 'hand'}/p${n}_${n % 2 ? 'positive' : 'negative'}.png`),
    ),
    'about.csv': table(
      'image,device',
      ...numbered(12, (n) => `p${n}_${n % 2 ? 'positive' : 'negative'},${n % 4}`),
    ),
  }
  const by = (path: string, column: string) =>
    findIn(files, 'classification', { ...asFound, labelColumn: { path, column } })

  it('is asked for where names say something else than folders, and counts', async () => {
    const found = await findIn(files, 'classification')
    expect(found).toMatchObject({
      layout: 'class_folders',
      classes: ['hand', 'wrist'],
      source: {
        isUnsure: true,
        candidates: [
          { column: 'folders' },
          { column: 'names', classes: 2 },
          { path: 'about.csv', column: 'device' },
        ],
      },
    })
    expect(await by('', 'names')).toMatchObject({ layout: 'name_classes', classes: ['negative', 'positive'] })
    expect(await by('about.csv', 'device')).toMatchObject({
      layout: 'csv_labels',
      classes: ['0', '1', '2', '3'],
    })
    expect(await by('', 'folders')).toMatchObject({
      layout: 'class_folders',
      source: { isUnsure: false },
    })
  })

  it('says nothing any more where its column is gone', async () => {
    expect(await by('about.csv', 'gone')).toMatchObject({
      layout: 'class_folders',
      classes: ['hand', 'wrist'],
    })
  })
})
