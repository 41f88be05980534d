import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type S3Server, startS3 } from '../../../test/s3-server.ts'
import { copyAll } from './copy.ts'
import { createS3Storage } from './s3.ts'
import { createDiskStorage, type Storage } from './storage.ts'

let folder: string
let s3: S3Server
let disk: Storage
let objects: Storage
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-copy-'))
  s3 = await startS3()
  disk = await createDiskStorage(folder)
  objects = await createS3Storage(s3.config, folder, {
    idleMs: 1000,
    attempts: 2,
    retryMs: 5,
    partBytes: 6e6,
  })
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

async function adopt(bytes: Buffer): Promise<string> {
  const path = join(disk.stagingFolder, randomBytes(8).toString('hex'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await writeFile(path, bytes)
  await disk.adopt(path, sha256)
  return sha256
}

test('all bytes of the disk come to S3 and are compared there; what was broken off goes on', async () => {
  const all = Array.from({ length: 30 }, (_, count) => randomBytes(count * 100))
  const sums = await Promise.all(all.map(adopt))
  let times = 0
  s3.fate = ({ method }) =>
    method === 'PUT' && ++times > 10 ? { kind: 'error', status: 403, code: 'QuotaExceeded' } : undefined
  await expect(copyAll(disk, objects, () => undefined)).rejects.toThrow('QuotaExceeded')
  s3.fate = () => undefined
  const { sent, known, damaged } = await copyAll(disk, objects, () => undefined)
  expect([sent + known, damaged]).toEqual([30, []])
  expect(known).toBeGreaterThanOrEqual(10)
  for (const [index, sha256] of sums.entries()) {
    expect((await buffer(objects.read(sha256))).equals(all[index] ?? Buffer.alloc(0))).toBe(true)
    expect(await disk.size(sha256)).toBe(index * 100)
  }
  expect(await readdir(disk.stagingFolder)).toEqual([])
})

test('damaged bytes are named and stay behind; what S3 has wrong is sent again', async () => {
  const damaged = await adopt(randomBytes(100))
  await writeFile(join(folder, 'blobs', damaged.slice(0, 2), damaged), 'rotten')
  const good = await adopt(randomBytes(100))
  s3.objects.set(`${s3.config.prefix}${good}/00000000000001-0123456789abcdef`, Buffer.from('wrong'))
  const copied = await copyAll(disk, objects, () => undefined)
  expect(copied).toMatchObject({ sent: 1, known: 30, damaged: [damaged] })
  expect(await objects.size(good)).toBe(100)
  await expect(objects.size(damaged)).rejects.toMatchObject({ code: 'ENOENT' })
})
