import { readFileSync } from 'node:fs'
import { languages } from '@neuroloom/contract/language'
import { templates } from '@neuroloom/contract/network/templates'
import { expect, test } from 'vitest'
import { builtIn } from './wire.ts'

type Words = { title: string; about: string; architecture: string; features: string; differs?: string }

test.each(languages)('every template is described in %s, and nothing else is', (language) => {
  const url = new URL(`../../locales/${language}/templates.json`, import.meta.url)
  const texts: { template: Record<string, Words>; block: Record<string, string> } = JSON.parse(
    readFileSync(url, 'utf8'),
  )
  expect(Object.keys(texts.template).sort()).toEqual(templates.map(({ id }) => id).sort())
  const blocks = templates.flatMap(({ id }) => [...builtIn(id).blocks.keys()])
  expect(Object.keys(texts.block).sort()).toEqual([...new Set(blocks)].sort())
  for (const [id, words] of Object.entries(texts.template)) {
    const differs = /https:\S+ \(.*\)$/.test(builtIn(id).source ?? '') ? ['differs'] : []
    expect(Object.keys(words), id).toEqual(['title', 'about', 'architecture', 'features', ...differs])
    const points = words.features.split('\n')
    expect(points.length, id).toBeGreaterThanOrEqual(2)
    expect(points.length, id).toBeLessThanOrEqual(4)
    for (const sentences of [words.about, words.architecture]) expect(sentences, id).toMatch(/[.。]$/)
  }
})
