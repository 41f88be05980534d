import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { topicSchema } from '@neuroloom/contract/live'
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

it('no process takes anything of a feature but from the list', () => {
  // The start fills an empty product; networks of members are worked out beside, by what loads in a moment.
  const apart = /^(features|first-start|aside-process)\.ts$/
  const byHand = sources.filter(
    (name) =>
      !name.includes('/') &&
      !apart.test(name) &&
      /'\.\/features\//.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(byHand).toEqual([])
})

it('one feature alone says who may come in, and no two have one command', () => {
  expect(features.filter(({ gate }) => gate).map(({ name }) => name)).toEqual(['accounts'])
  const commands = features.flatMap((feature) => Object.keys(feature.commands ?? {}))
  expect(new Set(commands).size).toBe(commands.length)
  expect(commands).toContain('clock')
})

it('no two features answer one call, and each live topic has the one that says who may watch', () => {
  const calls = features.flatMap(({ rows = {} }) => Object.keys(rows))
  expect(new Set(calls).size).toBe(calls.length)
  const topics = features.flatMap(({ tells }) => Object.keys(tells?.mayWatch ?? {}))
  expect(topics.sort()).toEqual([...topicSchema.shape.kind.options].sort())
})
