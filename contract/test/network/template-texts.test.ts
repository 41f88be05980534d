import { readFileSync } from 'node:fs'
import { languages } from '@neuroloom/contract/language'
import { templates } from '@neuroloom/contract/network/templates'
import { expect, test } from 'vitest'

type Words = { title: string; about: string; architecture: string; features: string }

test.each(languages)('every template is described in %s, and nothing else is', (language) => {
  const url = new URL(`../../locales/${language}/templates.json`, import.meta.url)
  const texts: { template: Record<string, Words> } = JSON.parse(readFileSync(url, 'utf8'))
  expect(Object.keys(texts.template).sort()).toEqual(templates.map(({ id }) => id).sort())
  for (const [id, words] of Object.entries(texts.template)) {
    expect(Object.keys(words), id).toEqual(['title', 'about', 'architecture', 'features'])
    const points = words.features.split('\n')
    expect(points.length, id).toBeGreaterThanOrEqual(2)
    expect(points.length, id).toBeLessThanOrEqual(4)
    for (const sentences of [words.about, words.architecture]) expect(sentences, id).toMatch(/[.。]$/)
  }
})
