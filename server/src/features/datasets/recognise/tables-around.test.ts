/** Tables and folders as people lay them: titles above the head, a table a hospital, parts in names of classes, ids in several spellings. */
import { describe, expect, it } from 'vitest'
import { images, made } from '../../../../test/dataset-texts.ts'

const cells = Array.from({ length: 12 }, (_, index) => `s${index}`)
const kindOf = (index: number): string => (index % 3 === 0 ? 'cyst' : 'clear')
const classesOf = (found: Awaited<ReturnType<typeof made>>) =>
  found.items.map((item) => found.classes[item.class ?? -1])

describe('a table with something above its head', () => {
  const pictures = images(...cells.map((name, index) => `${index % 2 ? 'north' : 'south'}/${name}.png`))
  const rows = cells.map((name, index) => `${name}.png;${kindOf(index)};${30 + index}`)

  it.each([
    ['titles', ['Survey of kidneys, second part', 'as of spring']],
    ['titles that fill the row', ['Survey of kidneys;;', '', 'as of spring;;']],
    ['headings of several columns', [';Findings;']],
    ['both', ['Survey', 'Image;Findings;Person']],
  ])('is read below: %s', async (_, above) => {
    const table = [...above, 'image;diagnosis;age', ...rows].join('\r\n')
    const found = await made('classification', { ...pictures, 'list.csv': table })
    expect([found.failed, found.classes, found.problems]).toEqual([null, ['clear', 'cyst'], []])
    expect(found.items.map(({ patient }) => patient)).toEqual(Array(12).fill(null))
  })
})

describe('tables within folders', () => {
  const sites = ['east', 'west']
  const both = (more: (site: string) => Record<string, string>) =>
    Object.assign(
      {},
      ...sites.map((site) => ({ ...images(...cells.map((name) => `${site}/${name}.png`)), ...more(site) })),
    )
  /** The same names in both folders, and in the second one the other way round. */
  const tableOf = (site: string): string =>
    [
      'file,label',
      ...cells.map((name, index) => `${name}.png,${kindOf(site === 'east' ? index : index + 1)}`),
    ].join('\n')

  it('mean the images of their own folder', async () => {
    const found = await made(
      'classification',
      both((site) => ({ [`${site}/labels.csv`]: tableOf(site) })),
    )
    expect([found.failed, found.classes, found.problems]).toEqual([null, ['clear', 'cyst'], []])
    const expected = sites.flatMap((site) =>
      found.items
        .filter(({ image }) => image.startsWith(site))
        .map(({ image }) => kindOf(Number(/\d+(?=\.png)/.exec(image)?.[0]) + (site === 'east' ? 0 : 1))),
    )
    expect(classesOf(found)).toEqual(expected)
  })

  it('in a folder of their own mean all images', async () => {
    const table = ['file,label', ...cells.map((name, index) => `${name}.png,${kindOf(index)}`)].join('\n')
    const found = await made('classification', {
      ...images(...cells.map((name) => `pictures/${name}.png`)),
      'tables/labels.csv': table,
    })
    expect([found.failed, found.classes, found.items.length]).toEqual([null, ['clear', 'cyst'], 12])
  })

  it('that say more of one class alone leave the folders what they are', async () => {
    const found = await made(
      'classification',
      both((site) => (site === 'east' ? { 'east/grades.csv': tableOf(site) } : {})),
    )
    expect([found.classes, found.items.length]).toEqual([sites, 24])
  })
})

describe('classes and parts in one name', () => {
  it('are told apart where all folders are called so', async () => {
    const files = ['train_cyst', 'train_clear', 'Test cyst', 'clear (test)'].flatMap((at) =>
      cells.map((name) => `${at}/${name}.png`),
    )
    const found = await made('classification', images(...files))
    expect([found.classes, found.facts?.classCounts]).toEqual([
      ['clear', 'cyst'],
      [24, 24],
    ])
    expect(found.facts?.given).toEqual({ train: 24, validation: 0, test: 24 })
  })

  it('stay one where some are called otherwise, or all of one part', async () => {
    const mixed = await made('classification', images('train_cyst/1.png', 'clear/2.png', 'test_cyst/3.png'))
    expect(mixed.classes).toEqual(['clear', 'test_cyst', 'train_cyst'])
    const trams = await made('classification', images('train station/1.png', 'train engine/2.png'))
    expect(trams.classes).toEqual(['train engine', 'train station'])
  })
})

it('one person whose number is written in several ways is one', async () => {
  const ids = ['K-07', 'k07', 'K 7', 'K-12', 'k12', 'K-12 ', '0031', '31', '31.0', 'K-5', 'K-50', 'k 50']
  const table = [
    'image,diagnosis,patient',
    ...cells.map((name, index) => `${name}.png,${kindOf(index)},${ids[index]}`),
  ]
  const found = await made('classification', {
    ...images(...cells.map((name) => `${name}.png`)),
    'list.csv': table.join('\n'),
  })
  const patients = new Map(found.items.map(({ image, patient }) => [image.replace('.png', ''), patient]))
  expect(cells.map((name) => patients.get(name))).toEqual([
    ...['K-07', 'K-07', 'K-07', 'K-12', 'K-12', 'K-12'],
    ...['0031', '0031', '0031', 'K-5', 'K-50', 'K-50'],
  ])
})

it('several labels of one image are told apart by whatever joins labels that stand alone elsewhere', async () => {
  const findings = [
    ...['oedema/effusion', 'oedema', 'effusion', '"oedema\r\neffusion"', 'effusion + oedema', 'mass'],
    ...['mass & oedema', 'oedema and mass', 'Gram+', 'ab/cd', '"mass, effusion"', 'oedema；mass'],
  ]
  const table = ['image,findings', ...cells.map((name, index) => `${name}.png,${findings[index]}`)].join('\n')
  const found = await made('multilabel', {
    ...images(...cells.map((name) => `${name}.png`)),
    'list.csv': table,
  })
  const labels = new Map(
    found.items.map((item) => [item.image.replace('.png', ''), item.labels?.map((at) => found.classes[at])]),
  )
  expect(cells.map((name) => labels.get(name)?.join(' '))).toEqual([
    ...['effusion oedema', 'oedema', 'effusion', 'effusion oedema', 'effusion oedema', 'mass'],
    ...['mass oedema', 'mass oedema', 'Gram+', 'ab/cd', 'effusion mass', 'mass oedema'],
  ])
})
