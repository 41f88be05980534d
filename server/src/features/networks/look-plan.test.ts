import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeText } from '../../../test/networks.ts'
import { lookWork } from './look-plan.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'neuroloom-look-'))
})
afterEach(() => rm(parent, { recursive: true }))

/** 51 KB as text. */
const large = makeText().replace(
  '  act: relu\n',
  `${Array.from({ length: 1700 }, (_, index) => `  layer${index}: {op: conv, out: 4}`).join('\n')}\n`,
)

it('the plan of a large network and the drawn image go to the disk, past the process that answers everybody', async () => {
  const folder = join(parent, 'look')
  const wish = { text: large, nodes: ['layer0'], trained: null, folder, isSample: true }
  const answer = await lookWork.run(wish)
  expect(answer).toEqual({ wanted: [['layer0', ['layer0']]] })
  const spec = await readFile(join(folder, 'look.json'), 'utf8')
  expect(spec.length).toBeGreaterThan(200_000)
  expect(JSON.parse(spec)).toMatchObject({ v: 1, image: 'image', nodes: ['layer0'] })
  expect((await readFile(join(folder, 'image'))).subarray(1, 4).toString()).toBe('PNG')
})

it('a network with mistakes leaves nothing behind', async () => {
  const folder = join(parent, 'look')
  const wish = { text: makeText({ from: 'nowhere' }), nodes: [], trained: null, folder, isSample: true }
  expect(await lookWork.run(wish)).toEqual({ mistakes: 1 })
  await expect(readFile(join(folder, 'look.json'))).rejects.toThrow('ENOENT')
})
