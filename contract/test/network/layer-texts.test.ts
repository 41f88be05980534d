import { readFileSync } from 'node:fs'
import { languages } from '@neuroloom/contract/language'
import { describe, expect, test } from 'vitest'
import { library } from './wire.ts'

type Words = { title: string; help: string; words: string }
type Nested = Record<string, string | Record<string, string>>
interface Texts {
  category: Record<string, string>
  op: Record<string, Words>
  block: Record<string, Words>
  param: Nested
  paramHelp: Nested
  choice: Record<string, string>
}

const { catalogue, std, networks } = library
const entries = [...catalogue.values()]
const params = entries.flatMap((entry) => [...entry.params])
/** Knobs of the networks and of their own blocks are settings too. */
const knobs = [...networks.values()].flatMap(({ params: own, blocks }) => [
  ...own.keys(),
  ...[...blocks.values()].flatMap((block) => [...block.params.keys()]),
])
const settings = new Set([
  ...params.map(([name]) => name),
  ...[...std.values()].flatMap((block) => [...block.params.keys()]),
  ...knobs,
])

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe.each(languages)('the words for layers in %s', (language) => {
  const url = new URL(`../../locales/${language}/layers.json`, import.meta.url)
  const texts: Texts = JSON.parse(readFileSync(url, 'utf8'))

  test('name every layer, block, category and choice, and nothing else', () => {
    expect(sorted(Object.keys(texts.op))).toEqual(sorted(catalogue.keys()))
    expect(sorted(Object.keys(texts.block))).toEqual(sorted(std.keys()))
    expect(sorted(Object.keys(texts.category))).toEqual(sorted([...entries.map(({ cat }) => cat), 'block']))
    const choices = params.flatMap(([, spec]) => spec.enum ?? [])
    expect(sorted(Object.keys(texts.choice))).toEqual(sorted(choices))
  })

  test('name and explain every setting; special names are of settings that exist', () => {
    for (const kind of [texts.param, texts.paramHelp]) {
      const general = Object.entries(kind).filter(([, text]) => typeof text === 'string')
      expect(sorted(general.map(([name]) => name))).toEqual(sorted(settings))
      for (const [op, special] of Object.entries(kind)) {
        if (typeof special === 'string') continue
        const own = catalogue.get(op)?.params ?? std.get(op)?.params
        for (const name of Object.keys(special)) expect(own?.has(name), `${op}.${name}`).toBe(true)
      }
    }
  })

  test('are short titles, whole sentences and words to search by', () => {
    for (const { title, help, words } of [...Object.values(texts.op), ...Object.values(texts.block)]) {
      expect(title.split(/[\s+]+/).length, title).toBeLessThanOrEqual(3)
      expect(help, title).toMatch(/[.。]$/)
      expect(words.split(' ').length, title).toBeGreaterThanOrEqual(2)
    }
  })

  test('tell layers apart', () => {
    const titles = [...Object.values(texts.op), ...Object.values(texts.block)].map(({ title }) => title)
    expect(titles.filter((title, k) => titles.indexOf(title) !== k)).toEqual([])
  })

  test('find a layer by its own and its English names', () => {
    expect(texts.op.maxpool?.words).toMatch({ en: /\bpooling\b/, zh: /池化/, ru: /пулинг/ }[language])
    expect(texts.op.conv?.words).toMatch({ en: /\bconv\b/, zh: /卷积/, ru: /свёртка/ }[language])
    for (const [op, { words }] of Object.entries(texts.op)) expect(words, op).toMatch(/[a-z]/)
  })
})
