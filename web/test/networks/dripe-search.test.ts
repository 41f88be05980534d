import { beforeAll, describe, expect, it } from 'vitest'
import { type Entry, entriesOf } from '../../src/features/networks/canvas/entries.ts'
import { search } from '../../src/features/networks/canvas/search.ts'
import { loadLibrary } from '../../src/features/networks/library.ts'
import { loadTexts } from '../../src/lib/i18n.ts'
import { languages } from '../../src/lib/language.ts'

let entries: Entry[] = []
const firstFor = (query: string, count = 1) =>
  search(entries, query)
    .slice(0, count)
    .map(({ op }) => op)

beforeAll(async () => {
  const texts = await Promise.all(languages.map((language) => loadTexts(language, 'layers')))
  const objects = texts.map((one) => (typeof one === 'string' ? {} : { ...one }))
  entries = entriesOf({ library: await loadLibrary(), own: new Map(), texts: objects })
})

describe('the palette finds a layer', () => {
  it.each([
    ['by its English name', 'convolution', 'conv'],
    ['by its Chinese name', '卷积', 'conv'],
    ['by its Russian name', 'свёртка', 'conv'],
    ['by its Russian name typed without dots', 'свертка', 'conv'],
    ['by its short name', 'conv', 'conv'],
    ['by the beginning of a word', 'sigm', 'sigmoid'],
    ['in capital letters', 'RELU', 'relu'],
    ['with two letters swapped', 'convoltuion', 'conv'],
    ['with a letter missing', 'softmx', 'softmax'],
  ])('%s', (_how, query, op) => {
    expect(firstFor(query)).toEqual([op])
  })

  it.each(['pooling', '池化', 'пулинг'])('whose synonym is %s', (query) => {
    expect(firstFor(query, 8)).toEqual(expect.arrayContaining(['maxpool', 'avgpool']))
  })

  it('only where every typed word is found', () => {
    expect(firstFor('max pooling', 1)).toEqual(['maxpool'])
    expect(search(entries, 'pooling xyzzy')).toEqual([])
  })

  it('among blocks of templates, which bring their definition along', () => {
    const block = entries.find(({ id }) => id === 'template:unet:up')
    expect(block?.brings?.has('up')).toBe(true)
  })

  it('in written order while nothing is typed', () => {
    expect(search(entries, '  ')).toEqual(entries)
  })
})

it('finds nothing for what is too far from every word', () => {
  expect(search([{ words: ['relu'] }], 'convolution')).toEqual([])
})
