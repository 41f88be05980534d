import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from './features.ts'

const folder = import.meta.dirname
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.test|\.d)\.ts$/.test(name),
)

it('every feature folder is in the list, from left to right as the walls have it', () => {
  const folders = readdirSync(join(folder, 'features'))
  const listed = features.map(({ name }) => name)
  expect(listed.filter((name) => name !== 'demo').sort()).toEqual(folders.sort())
  const map = readFileSync(join(folder, '../../ARCHITECTURE.md'), 'utf8')
  const [, walls = ''] =
    /features? may use only those to its left: `([^`]*)`/.exec(map.replaceAll('\n', ' ')) ?? []
  expect(listed.filter((name) => name !== 'demo')).toEqual(walls.split(/\s+/))
})

it('no file of a feature does anything by being read: what one process reads, another may not', () => {
  const files = sources.filter((name) => name.startsWith('features/') && !name.endsWith('-process.ts'))
  const doing = files.filter((name) =>
    /^(?:await )?[a-z][\w.]*\(/m.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(doing).toEqual([])
})

it('every process that works with the database knows all features', () => {
  const makers = sources.filter((name) => /\bcreateContext\(/.test(readFileSync(join(folder, name), 'utf8')))
  expect(makers.length).toBeGreaterThan(3)
  for (const name of makers.filter(
    (one) => !/^(infra\/context|features\/files\/upload\/routes)\.ts$/.test(one),
  ))
    expect(readFileSync(join(folder, name), 'utf8'), name).toContain(
      "import { features } from './features.ts'",
    )
})

it('no two features answer one call or name one thing', () => {
  const calls = features.flatMap(({ rows = {} }) => Object.keys(rows))
  expect(new Set(calls).size).toBe(calls.length)
  const topics = features.flatMap(({ tells }) => Object.keys(tells?.mayWatch ?? {}))
  expect(new Set(topics).size).toBe(topics.length)
})
