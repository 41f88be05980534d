import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLinks, readSecret } from './links.ts'

let clock = Date.UTC(2030, 0, 1, 12, 0, 0)
const links = createLinks(Buffer.alloc(32, 7), () => new Date(clock))
const claims = { kind: 'file', id: 'abc', userId: 'user1', name: 'Ü & 名=1.png' }
const read = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query))

test('a link says what was signed until its time is over', () => {
  const query = read(links.sign(claims, 60_000))
  expect(links.verify(query, 'file')).toEqual(claims)
  clock += 49_000
  expect(links.verify(query, 'file')).toEqual(claims)
  clock += 11_000
  expect(() => links.verify(query, 'file')).toThrow('link_expired')
})

test('nothing in a link can be changed, added, left out or used for another purpose', () => {
  const query = read(links.sign(claims, 60_000))
  const { name: _, ...shorter } = query
  const altered = [
    { ...query, id: 'abd' },
    { ...query, userId: 'user2' },
    { ...query, until: String(clock + 9e9) },
    { ...query, extra: '1' },
    { ...query, mac: `${query.mac}A` },
    { ...query, mac: '' },
    shorter,
    {},
    undefined,
  ]
  for (const one of altered) expect(() => links.verify(one, 'file')).toThrow('link_expired')
  expect(() => links.verify(query, 'thumbnail')).toThrow('link_expired')
  const other = createLinks(Buffer.alloc(32, 8), () => new Date(clock))
  expect(() => other.verify(query, 'file')).toThrow('link_expired')
})

test('links of the same moment are the same, so that browsers keep what they show', () => {
  const first = links.sign(claims, 30 * 60_000)
  clock += 100
  expect(links.sign(claims, 30 * 60_000)).toBe(first)
})

test('the server makes its key once, readable by itself alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'neuroloom-secret-'))
  const secret = await readSecret(folder)
  expect(secret).toHaveLength(32)
  expect((await readSecret(folder)).equals(secret)).toBe(true)
  expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
  await rm(folder, { recursive: true })
})

test('several processes that start at once have one key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'neuroloom-secret-'))
  const secrets = await Promise.all(Array.from({ length: 8 }, () => readSecret(folder)))
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1)
  expect(await readdir(folder)).toEqual(['secret'])
  await rm(folder, { recursive: true })
})

test('a damaged key is not replaced by another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'neuroloom-secret-'))
  await writeFile(join(folder, 'secret'), 'short')
  await expect(readSecret(folder)).rejects.toThrow('damaged')
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('short')
  await rm(folder, { recursive: true })
})
