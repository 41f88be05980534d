/** Built, the reading program sees its own code and nothing else: a package out of its sight would end it at its start. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { guards } from './reader.ts'

it('every package that the reading program needs lies where it may read', () => {
  const readable = guards('/tmp/folder')
    .filter((flag) => flag.startsWith('--allow-fs-read='))
    .map((flag) => flag.slice('--allow-fs-read='.length))
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test|\.d)\.ts$/.test(name))
  const names = new Set(
    sources.flatMap((name) =>
      [...readFileSync(`${import.meta.dirname}/${name}`, 'utf8').matchAll(/ from '([^.'][^']*)'/g)].flatMap(
        ([, from = '']) => (from.startsWith('node:') || from.startsWith('@neuroloom/') ? [] : [from]),
      ),
    ),
  )
  expect([...names]).toContain('yauzl')
  const { resolve } = createRequire(import.meta.url)
  const hidden = [...names].filter((name) => !readable.some((path) => resolve(name).startsWith(path)))
  expect(hidden).toEqual([])
})
