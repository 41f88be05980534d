import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { memberForm } from '../../../test/member-form.ts'
import { makeTrainingSet, startQuick } from '../../../test/training.ts'
import { unzip } from '../../../test/unzip.ts'
import { sha256, upload } from '../../../test/uploads.ts'
import { auditEvents } from '../../infra/audit.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { files } from '../files/tables.ts'
import { runArtifacts } from '../runs/tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const linkOf = async (who: Session): Promise<string> =>
  server.url + (await server.call('user/export', {}, who)).data.url
async function archiveOf(who: Session): Promise<Map<string, Buffer>> {
  const response = await fetch(await linkOf(who))
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="neuroloom-\d{4}-\d\d-\d\d\.zip"$/,
  )
  const found = await unzip(Buffer.from(await response.arrayBuffer()))
  return new Map([...found].map(([path, { bytes }]) => [path, bytes]))
}
const jsonIn = (archive: Map<string, Buffer>, path: string): unknown =>
  JSON.parse(archive.get(path)?.toString() ?? 'null')

describe('the archive', () => {
  test('has every stored file under the path of its folder, byte for byte', async () => {
    const who = await server.signUp({ vipLevel: 4 })
    const bytes = (seed: string) => createHash('sha256').update(seed).digest()
    await upload(server, who, {
      files: [
        { path: '肺部/снимки/1.png', bytes: bytes('1') },
        { path: '肺部/снимки/2.png', bytes: bytes('2') },
        { path: '肺部/empty.txt', bytes: new Uint8Array() },
        { path: 'away/3.png', bytes: bytes('3') },
      ],
    })
    await upload(server, who, { files: [{ path: 'loose.bin', bytes: new Uint8Array(3_000_000).fill(7) }] })
    const other = await server.signUp()
    await upload(server, other, { files: [{ path: "other's.bin", bytes: bytes('other') }] })
    const [away] = await server.ctx.db.select().from(files).where(eq(files.name, 'away'))
    await server.call('files/remove', { ids: [away?.id ?? ''] }, who)

    const archive = await archiveOf(who)
    const stored = [...archive.keys()].filter((path) => /^(files|recycled)\//.test(path))
    expect(stored.sort()).toEqual([
      'files/loose.bin',
      'files/肺部/empty.txt',
      'files/肺部/снимки/1.png',
      'files/肺部/снимки/2.png',
      'recycled/away/3.png',
    ])
    expect(archive.get('files/肺部/снимки/2.png')?.equals(bytes('2'))).toBe(true)
    expect(archive.get('recycled/away/3.png')?.equals(bytes('3'))).toBe(true)
    expect(archive.get('files/肺部/empty.txt')).toHaveLength(0)
    expect(archive.get('files/loose.bin')?.every((byte) => byte === 7)).toBe(true)
  })

  test('gives names that no system takes one that every system takes, each once', async () => {
    const who = await server.signUp()
    await upload(server, who, { files: [{ path: 'a.txt', bytes: Buffer.from('first') }] })
    const [row] = await server.ctx.db.select().from(files).where(eq(files.ownerId, who.userId))
    if (!row) throw new Error('Nothing was uploaded')
    // Older names and other systems' ones may be stored; the calls of today refuse some of them.
    const names = ['A.TXT', 'x:y', 'x*y', '..', 'CON\u202e.txt']
    await server.ctx.db
      .insert(files)
      .values(names.map((name, index) => ({ ...row, id: `${row.id}${index}`, name, searchName: name })))
    const archive = await archiveOf(who)
    const stored = [...archive.keys()].filter((path) => path.startsWith('files/'))
    expect(stored.sort()).toEqual([
      'files/A (2).TXT',
      'files/CON-.txt',
      'files/a.txt',
      'files/file',
      'files/x-y',
      'files/x-y (2)',
    ])
  })

  test('has the profile without secrets, the sign-ins, the history and the notices', async () => {
    const { account, ...who } = await server.signUp()
    await server.call('user/edit', memberForm, who)
    await server.call('user/password', { old: 'correct horse 1', password: 'another horse 2' }, who)
    const { data } = await server.call('user/login', { account, password: 'another horse 2' })
    const archive = await archiveOf({ userId: data.id, token: data.token })
    expect(jsonIn(archive, 'account.json')).toMatchObject({
      profile: { ...memberForm, cardNumber: '**************002X' },
      signIns: [{ endReason: null }, { endReason: 'replaced' }, { endReason: 'signed_out' }],
      // Fetching the archive is part of it: written down before the archive is made.
      history: [{ deed: 'export' }, { deed: 'new_password' }, { deed: 'edit' }],
      notices: [{ kind: 'signed_in_elsewhere' }, { kind: 'password_changed' }],
    })
    expect(archive.get('account.json')?.toString()).not.toMatch(/argon2|hash|token|seal/i)
  })

  test('has projects, data sets and runs with their settings, and the trained models', async () => {
    const who = await server.signUp({ vipLevel: 4 })
    const set = await makeTrainingSet(server, who, { items: 12 })
    const run = await startQuick(server, who, { set })
    const weights = Buffer.from('the weights')
    const digest = sha256(weights, 'hex')
    const staged = join(server.ctx.storage.stagingFolder, 'weights')
    await writeFile(staged, weights)
    await server.ctx.storage.adopt(staged, digest)
    await server.ctx.db.transaction(async (tx) => {
      await addBlob(tx, { sha256: digest, sizeBytes: weights.length })
      await tx
        .insert(runArtifacts)
        .values({ runId: run.id, kind: 'weights', sha256: digest, sizeBytes: weights.length })
    })
    const archive = await archiveOf(who)
    expect(jsonIn(archive, 'projects.json')).toMatchObject([{ id: set.projectId, name: 'Project of cells' }])
    expect(jsonIn(archive, 'datasets.json')).toMatchObject([
      { id: set.datasetId, classes: run.classes, items: Array(12).fill({ name: expect.any(String) }) },
    ])
    expect(jsonIn(archive, 'runs.json')).toMatchObject([
      { id: run.id, number: 1, network: 'small_resnet', hyper: run.hyper, curves: [], state: 'queued' },
    ])
    expect(archive.get('runs/Project of cells-run-1.safetensors')?.equals(weights)).toBe(true)
  })

  test('of somebody who has nothing yet is whole', async () => {
    const archive = await archiveOf(await server.signUp())
    expect([...archive.keys()]).toEqual([
      'account.json',
      'deidentification.json',
      'sharing.json',
      'cloud-records.json',
      'conversions.json',
      'burned-in-texts.json',
      'recipes.json',
      'shared-recipes.json',
      'preparations.json',
      'projects.json',
      'project-sharing.json',
      'datasets.json',
      'runs.json',
      'flow-studies.json',
      'label-sets.json',
      'label-readings.json',
      'label-steps.json',
      'label-exchanges.json',
      'label-comments.json',
      'label-helpers.json',
      'label-proposals.json',
      'label-rounds.json',
      'own-tools.json',
      'toolbox.json',
      'shop.json',
      'social-people.json',
      'social-chats.json',
      'social-messages.json',
      'social-posts.json',
      'social-images.json',
      'social-rounds.json',
      'social-opinions.json',
    ])
    expect(jsonIn(archive, 'runs.json')).toEqual([])
  })
})

describe('its link', () => {
  test('is for members, for a minute, and ends with the session', async () => {
    expect((await server.call('user/export', {})).code).toBe(10401)
    const who = await server.signUp()
    const [late, left] = [await linkOf(who), await linkOf(who)]
    expect((await fetch(late.replace(who.userId, 'somebody'))).status).toBe(403)
    server.forward(61_000)
    expect((await fetch(late)).status).toBe(403)
    const fresh = await linkOf(who)
    await server.call('user/logout', {}, who)
    for (const link of [left, fresh]) expect((await fetch(link)).status).toBe(403)
  })

  test('is written down when it is used', async () => {
    const who = await server.signUp()
    await archiveOf(who)
    const [last] = await server.ctx.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1)
    expect(last).toMatchObject({ actor: who.userId, action: 'account.export' })
  })

  test('gives one archive at a time, and the next when the reader has left', async () => {
    const who = await server.signUp()
    await upload(server, who, { files: [{ path: 'large.bin', bytes: new Uint8Array(8_000_000).fill(1) }] })
    const reader = new AbortController()
    const first = await fetch(await linkOf(who), { signal: reader.signal })
    expect((await fetch(await linkOf(who))).status).toBe(503)
    reader.abort()
    await expect(first.arrayBuffer()).rejects.toThrow()
    // The server learns of it from the closed line, as soon as that has come through.
    await expect
      .poll(async () => {
        const response = await fetch(await linkOf(who))
        await response.arrayBuffer()
        return response.status
      })
      .toBe(200)
  })

  test('breaks off where bytes are lost, so that nobody takes it for the whole', async () => {
    const who = await server.signUp()
    const bytes = Buffer.from('to be lost')
    await upload(server, who, { files: [{ path: 'lost.txt', bytes }] })
    await server.ctx.storage.remove(sha256(bytes, 'hex'))
    const response = await fetch(await linkOf(who))
    await expect(response.arrayBuffer()).rejects.toThrow()
  })
})
