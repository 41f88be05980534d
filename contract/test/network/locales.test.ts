import { readFileSync } from 'node:fs'
import { flowNetworks } from '@neuroloom/contract/flow/sharpen'
import { fixKinds } from '@neuroloom/contract/network/fix/kinds'
import {
  documentCodes,
  errorCodes,
  problemKey,
  warningCodes,
} from '@neuroloom/contract/network/resolve/problems'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { describe, expect, test } from 'vitest'
import { cases } from './error-cases.ts'
import { builtInIds, library, makeNetwork } from './wire.ts'

const problems = cases.flatMap(([, parts, , options]) => {
  const heads = { main: { task: 'x', from: Object.keys(parts.nodes ?? {}).at(-1) ?? 'image' } }
  return resolve(makeNetwork({ heads, ...parts }), { ...library, ...options }).errors
})

test('every error of the resolver has a case', () => {
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(errorCodes))
})

describe.each(['en', 'zh', 'ru'])('the texts in %s', (language) => {
  const url = new URL(`../../locales/${language}/networks.json`, import.meta.url)
  const texts: Record<string, Record<string, string>> = JSON.parse(readFileSync(url, 'utf8'))
  const errors = texts.graphError ?? {}

  test('name and describe every built-in network, and nothing else', () => {
    const named = [...builtInIds, ...flowNetworks]
    expect(Object.keys(texts).sort()).toEqual([...named, 'fix', 'graphError'].sort())
    for (const id of builtInIds) expect(Object.keys(texts[id] ?? {})).toEqual(['title', 'about'])
    // What they are for stands on the one page that offers them.
    for (const id of flowNetworks) expect(Object.keys(texts[id] ?? {})).toEqual(['title'])
  })

  test('cover every message, and nothing else', () => {
    const needed = [...problems.map(problemKey), ...warningCodes, ...documentCodes]
    expect(Object.keys(errors).sort()).toEqual([...new Set(needed)].sort())
  })

  test('say what every repair does, and nothing else', () => {
    expect(Object.keys(texts.fix ?? {})).toEqual([...fixKinds])
  })

  test('show only numbers that the message has', () => {
    for (const problem of problems) {
      const names = [...(errors[problemKey(problem)] ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(
        ([, name]) => name,
      )
      expect(Object.keys(problem.data), problemKey(problem)).toEqual(expect.arrayContaining(names))
    }
  })
})
