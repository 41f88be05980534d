import { expect, it } from 'vitest'
import { areaTree } from '../build/areas.ts'
import { areasIn } from '../src/features/accounts/fields/calling-codes.ts'
import { regionNames } from '../src/lib/region-names.ts'

it.each([
  ['en-GB', ['Taiwan', 'Hong Kong', 'Macao']],
  ['zh-CN', ['中国台湾', '中国香港', '中国澳门']],
  ['ru-RU', ['Тайвань', 'Гонконг', 'Макао']],
] as const)('three regions have names in %s that were chosen, wherever they are listed', (tag, names) => {
  const nameOf = regionNames(tag)
  expect(['TW', 'HK', 'MO'].map(nameOf)).toEqual(names)
  for (const name of names) expect(areasIn(tag).filter((area) => area.name === name)).toHaveLength(1)
  expect(nameOf('FR')).toBe(new Intl.DisplayNames(tag, { type: 'region' }).of('FR'))
})

it.each(['en', 'ru'] as const)('in %s the areas of an address call them the same', (language) => {
  const labels = new Map(areaTree(language).map(([code, label]) => [code, label]))
  expect(['710000', '810000', '820000'].map((code) => labels.get(code))).toEqual(
    ['TW', 'HK', 'MO'].map(regionNames(language)),
  )
})
