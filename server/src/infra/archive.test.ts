import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unzip } from '../../test/unzip.ts'
import { type ArchivedFile, archiveOf, freeNames, jsonFile, jsonList } from './archive.ts'

const CHUNK = Buffer.alloc(64 * 1024)

async function* all<T>(...list: T[]): AsyncIterable<T> {
  yield* list
}

/** Bytes without end, and how many of them were asked for. */
function makeEndless() {
  const asked = { bytes: 0 }
  const source = new Readable({
    read() {
      asked.bytes += CHUNK.length
      this.push(CHUNK)
    },
  })
  const file: ArchivedFile = { path: 'endless.bin', isText: false, read: () => source }
  return { asked, source, file }
}

test('what was put in comes out, by its path', async () => {
  const modifiedAt = new Date('2026-02-03T04:05:06Z')
  const picture: ArchivedFile = {
    path: 'files/肺部/снимок.png',
    modifiedAt,
    isText: false,
    read: () => Readable.from([CHUNK, Buffer.from('end')]),
  }
  const list = jsonList('list.json', all({ a: 1 }, { b: '"' }))
  const archive = archiveOf(all(jsonFile('one.json', { x: 1 }), list, jsonList('none.json', all()), picture))
  const files = await unzip(await buffer(archive))
  expect([...files.keys()]).toEqual(['one.json', 'list.json', 'none.json', 'files/肺部/снимок.png'])
  const textOf = (path: string): unknown => JSON.parse(files.get(path)?.bytes.toString() ?? '')
  expect([textOf('one.json'), textOf('list.json'), textOf('none.json')]).toEqual([
    { x: 1 },
    [{ a: 1 }, { b: '"' }],
    [],
  ])
  const found = files.get(picture.path)
  expect(found?.bytes.equals(Buffer.concat([CHUNK, Buffer.from('end')]))).toBe(true)
  expect(found?.modifiedAt.getTime()).toBe(modifiedAt.getTime())
})

test('nothing is read faster than it is taken', async () => {
  const { asked, file } = makeEndless()
  const archive = archiveOf(all(file))
  let taken = 0
  for await (const piece of archive) {
    taken += piece.length
    if (taken > 4 * 1024 * 1024) break
    await turn()
  }
  expect(asked.bytes - taken).toBeLessThan(2 * 1024 * 1024)
})

test('what was written is not kept', async () => {
  const sizeBytes = 100_000
  const count = 3000
  async function* many(): AsyncIterable<ArchivedFile> {
    for (let number = 0; number < count; number += 1) {
      const bytes = Buffer.alloc(sizeBytes)
      yield { path: `${number}.bin`, isText: false, read: () => Readable.from([bytes]) }
    }
  }
  const before = process.memoryUsage().arrayBuffers
  let taken = 0
  for await (const piece of archiveOf(many())) taken += piece.length
  expect(taken).toBeGreaterThan(sizeBytes * count)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((sizeBytes * count) / 2)
})

test('reading stops when nobody takes the archive any more', async () => {
  const { source, file } = makeEndless()
  let isOver = false
  async function* files(): AsyncIterable<ArchivedFile> {
    try {
      yield file
    } finally {
      isOver = true
    }
  }
  const archive = archiveOf(files())
  const closed = new Promise((resolve) => source.once('close', resolve))
  archive.once('data', () => archive.destroy())
  await closed
  await turn()
  expect({ isOver, isDestroyed: source.destroyed }).toEqual({ isOver: true, isDestroyed: true })
})

test('a file that cannot be read ends the archive in an error, never as a smaller whole', async () => {
  const broken: ArchivedFile = {
    path: 'broken',
    isText: false,
    read: () =>
      new Readable({
        read() {
          this.destroy(new Error('gone'))
        },
      }),
  }
  await expect(buffer(archiveOf(all(jsonFile('one.json', {}), broken)))).rejects.toThrow('gone')
  async function* failing(): AsyncIterable<ArchivedFile> {
    yield jsonFile('one.json', {})
    throw new Error('no database')
  }
  await expect(buffer(archiveOf(failing()))).rejects.toThrow('no database')
})

test('names are free on every system', () => {
  const freeName = freeNames()
  const given = [
    'a.png',
    'A.PNG',
    'a (2).png',
    'a.png',
    '.hidden',
    '.hidden',
    'x',
    'X',
    'x.tar.gz',
    'x.tar.gz',
  ]
  expect(given.map(freeName)).toEqual([
    'a.png',
    'A (2).PNG',
    'a (2) (2).png',
    'a (3).png',
    '.hidden',
    '.hidden (2)',
    'x',
    'X (2)',
    'x.tar.gz',
    'x.tar (2).gz',
  ])
})
