import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPrivate } from './private.ts'

const before = process.umask()
let parent: string
beforeEach(async () => {
  process.umask(0o022)
  parent = await mkdtemp(join(tmpdir(), 'neuroloom-private-'))
})
afterEach(async () => {
  process.umask(before)
  await rm(parent, { recursive: true, force: true })
})

const modeOf = async (...names: string[]): Promise<string> =>
  ((await stat(join(parent, ...names))).mode & 0o777).toString(8)

test('what is made from then on is closed to others, and so is an empty data folder', async () => {
  await mkdir(join(parent, 'empty'))
  for (const name of ['empty', 'new']) await keepPrivate(join(parent, name))
  await mkdir(join(parent, 'new', 'later'))
  await writeFile(join(parent, 'new', 'later', 'file'), '')
  const modes = [modeOf('empty'), modeOf('new'), modeOf('new', 'later'), modeOf('new', 'later', 'file')]
  expect(await Promise.all(modes)).toEqual(['700', '700', '700', '600'])
})

test('what an earlier version left open is closed; what is not ours stays as it is', async () => {
  for (const name of ['blobs', 'theirs']) await mkdir(join(parent, name))
  await writeFile(join(parent, 'secret'), '')
  await chmod(parent, 0o755)
  await keepPrivate(parent)
  const modes = [modeOf('blobs'), modeOf('secret'), modeOf('theirs'), modeOf()]
  expect(await Promise.all(modes)).toEqual(['700', '600', '755', '755'])
})
