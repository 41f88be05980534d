import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { files as fileLimits, archives as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { tusCreate, upload } from '../../../../test/uploads.ts'
import { type ZipEntry, zipOf } from '../../../../test/zip.ts'
import { claim, recover, unpackFolder } from './lease.ts'
import { work } from './work.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const bytes = (text: string) => Buffer.from(text)
const list = async (session: Session, folderId: string | null) =>
  (await server.call('files/list', { folderId }, session)).data.entries
const names = async (session: Session, folderId: string | null) =>
  (await list(session, folderId)).map(({ name }) => name)
const content = async (session: Session, id: string): Promise<string> => {
  const { data } = await server.call('files/open', { id, download: true }, session)
  return (await fetch(server.url + data.url)).text()
}
const storage = async ({ userId }: Session) => {
  const { rows } = await server.ctx.db.execute<{ used: string; reserved: string }>(
    sql`select used_bytes as used, reserved_bytes as reserved from user_storage where user_id = ${userId}`,
  )
  return { used: Number(rows[0]?.used), reserved: Number(rows[0]?.reserved) }
}

/** Stores the archive and has it unpacked, as the menu does; answers with the report. */
async function unpack(session: Session, archive: Buffer, name = 'scans.zip') {
  await upload(server, session, { files: [{ path: name, bytes: archive }] })
  const file = (await list(session, null)).find((entry) => entry.name === name)
  const { data } = await server.call('files/unpack', { id: file?.id ?? '' }, session)
  await work(server.ctx, data.id)
  return report(session, data.id)
}

async function report(session: Session, id: string) {
  const { data } = await server.call('files/unpacks', {}, session)
  const found = data.unpacks.find((one) => one.id === id)
  if (!found) throw new Error('the unpacking is not listed')
  return found
}

const unpackZip = async (entries: ZipEntry[], session?: Session) => {
  const who = session ?? (await server.signUp({ vipLevel: 2 }))
  return { session: who, ...(await unpack(who, zipOf(entries))) }
}
const reasons = (leftOut: { path: string; reason: string }[]) =>
  Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]))

describe('a whole archive', () => {
  it('comes out into a folder of its name, with its folders, and is counted exactly', async () => {
    const found = await unpackZip([
      { name: 'a/1.txt', bytes: bytes('one') },
      { name: 'a/b/2.txt', bytes: bytes('twelve'.repeat(100)) },
      { name: 'empty/' },
      { name: '3.txt', bytes: bytes('') },
    ])
    const { session, folderId } = found
    expect(found).toMatchObject({ state: 'done', failure: null, doneFiles: 3, leftOutCount: 0 })
    expect(await names(session, null)).toEqual(['scans', 'scans.zip'])
    expect(await names(session, folderId)).toEqual(['a', 'empty', '3.txt'])
    const [a] = await list(session, folderId)
    const [, one] = await list(session, a?.id ?? null)
    expect(await content(session, one?.id ?? '')).toBe('one')
    const archive = (await list(session, null)).find(({ kind }) => kind === 'file')
    expect(await storage(session)).toEqual({ used: 603 + (archive?.sizeBytes ?? 0), reserved: 0 })
    expect((await list(session, null))[0]).toMatchObject({ sizeBytes: 603, fileCount: 3 })
  })

  it('of one folder becomes that folder; a taken name gets a number', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    await upload(server, session, { files: [{ path: 'series/old.txt', bytes: bytes('old') }] })
    const { folderId } = await unpackZip([{ name: 'series/1.txt', bytes: bytes('one') }], session)
    expect(await names(session, null)).toEqual(['series', 'series (2)', 'scans.zip'])
    expect(await names(session, folderId)).toEqual(['1.txt'])
  })

  it.each([
    ['tar', 'scans.tar'],
    ['tar.gz', 'scans.tar.gz'],
    ['tgz', 'scans.tgz'],
  ])('may be a %s', async (_kind, name) => {
    const session = await server.signUp({ vipLevel: 2 })
    const archive = await tarOf([
      { name: './a/', type: 'directory' },
      { name: './a/1.txt', text: 'one' },
      { name: '2.txt', text: 'two' },
    ])
    const found = await unpack(session, name === 'scans.tar' ? archive : gzipSync(archive), name)
    expect(found).toMatchObject({ state: 'done', doneFiles: 2, leftOutCount: 0 })
    expect(await names(session, found.folderId)).toEqual(['a', '2.txt'])
  })

  it('keeps an archive inside it as a file', async () => {
    const inner = zipOf([{ name: 'x.txt', bytes: bytes('x') }])
    const { session, folderId } = await unpackZip([{ name: 'inner.zip', bytes: inner }])
    expect(await names(session, folderId)).toEqual(['inner.zip'])
  })

  it.each([
    ['gb18030', ['b2a1c0fd2e747874', 'b7cec6ac20312e706e67'], ['病例.txt', '肺片 1.png']],
    ['big5', ['c0cbac64b3f8a7692e747874', 'bc76b9b32e706e67'], ['檢查報告.txt', '影像.png']],
    ['shift_jis', ['89e6919c8366815b835e2e706e67', '8bb995942e747874'], ['画像データ.png', '胸部.txt']],
    ['ibm866', ['e1ada8acaeaa2e706e67', '8ee2e7f1e22e747874'], ['снимок.png', 'Отчёт.txt']],
    ['windows-1251', ['e4e0ededfbe52e637376', 'cfe0f6e8e5edf22e747874'], ['данные.csv', 'Пациент.txt']],
  ])('reads names in the alphabet of the archive, whoever unpacks it: %s', async (encoding, hex, wanted) => {
    const entries = hex.map((one) => ({ name: '', rawName: Buffer.from(one, 'hex'), bytes: bytes('') }))
    const { session, folderId, namesIn } = await unpackZip(entries)
    expect(namesIn).toBe(encoding)
    expect(new Set(await names(session, folderId))).toEqual(new Set(wanted))
  })

  it('reads what is said to be Unicode as that, beside names that are not', async () => {
    const raw = Buffer.from('d5d5c6ac2e747874', 'hex')
    const { session, folderId, namesIn } = await unpackZip([
      { name: '', rawName: Buffer.from('плёнка.txt'), bytes: bytes('a'), isUtf8: true },
      { name: '', rawName: raw, bytes: bytes('b') },
      // As macOS writes them: in parts, and without saying so.
      { name: '', rawName: Buffer.from('Röntgenüberblick.txt'.normalize('NFD')), bytes: bytes('c') },
      { name: '', rawName: Buffer.from([0x8a, 0x92]), unicodePath: 'КТ.txt', bytes: bytes('d') },
    ])
    expect(namesIn).toBe('gb18030')
    expect(new Set(await names(session, folderId))).toEqual(
      new Set(['плёнка.txt', '照片.txt', 'Röntgenüberblick.txt', 'КТ.txt']),
    )
  })

  it('shows how names could be read, and reads them as a person chose', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const stranger = await server.signUp({ vipLevel: 2 })
    // Two capitals, or one Chinese character.
    const archive = zipOf([{ name: '', rawName: Buffer.from('cad22e747874', 'hex'), bytes: bytes('a') }])
    await upload(server, session, { files: [{ path: 'a.zip', bytes: archive }] })
    const [file] = await list(session, null)
    const id = file?.id ?? ''
    const { samples } = (await server.call('files/archiveNames', { id }, session)).data
    expect(samples?.readings[0]?.encoding).toBe(samples?.guess)
    expect(samples?.readings).toContainEqual({ encoding: 'windows-1251', names: ['КТ.txt'] })
    expect(samples?.readings).toContainEqual({ encoding: 'gb18030', names: ['室.txt'] })
    expect((await server.call('files/archiveNames', { id }, stranger)).data.error).toBe('missing')
    const chosen = await server.call('files/unpack', { id, encoding: 'gb18030' }, session)
    await work(server.ctx, chosen.data.id)
    const { folderId, namesIn } = await report(session, chosen.data.id)
    expect(namesIn).toBe('gb18030')
    expect(await names(session, folderId)).toEqual(['室.txt'])
  })

  it('leaves no choice where all names are Unicode or plain, or the archive is none', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const archives = [
      zipOf([{ name: 'a.txt' }, { name: 'плёнка.txt' }]),
      bytes('PK'),
      bytes(''),
      Buffer.alloc(9000, 'x'),
    ]
    for (const [index, archive] of archives.entries())
      await upload(server, session, { files: [{ path: `${index}.zip`, bytes: archive }] })
    for (const { id } of await list(session, null))
      expect((await server.call('files/archiveNames', { id }, session)).data.samples).toBeNull()
  })

  it('reads names of a tar that do not say their alphabet', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const archive = await tarOf([
      { name: 'XXXXXX.txt', text: 'a' },
      { name: 'plain.txt', text: 'b' },
    ])
    // As old programs on Windows and Linux wrote them; the sum of the header follows.
    Buffer.from('f1ede8ecbfaa'.replace('bfaa', 'eeea'), 'hex').copy(archive, archive.indexOf('XXXXXX'))
    archive.fill(' ', 148, 156)
    const sum = archive.subarray(0, 512).reduce((all, byte) => all + byte, 0)
    archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const files = [
      { path: 'asked.tar', bytes: archive },
      { path: 'asked.tar.gz', bytes: gzipSync(archive) },
      { path: 'cut.tgz', bytes: gzipSync(Buffer.concat([archive, randomBytes(90_000)])).subarray(0, 60_000) },
    ]
    await upload(server, session, { files })
    for (const { id, name } of await list(session, null)) {
      const { samples } = (await server.call('files/archiveNames', { id }, session)).data
      expect(samples?.guess, name).toBe('windows-1251')
      expect(samples?.readings, name).toContainEqual({ encoding: 'windows-1251', names: ['снимок.txt'] })
    }
    const { folderId, namesIn } = await unpack(session, archive, 'scans.tar')
    expect(namesIn).toBe('windows-1251')
    expect(await names(session, folderId)).toEqual(['plain.txt', 'снимок.txt'])
  })

  it('removes an archive that the browser packed, once all of it is out', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const archive = zipOf([
      { name: '1.txt', bytes: bytes('one') },
      { name: '.DS_Store', bytes: bytes('clutter') },
    ])
    const id = await uploadToUnpack(session, archive, 'packed')
    await work(server.ctx, id)
    expect(await names(session, null)).toEqual(['packed'])
    expect(await storage(session)).toEqual({ used: 3, reserved: 0 })
    const records = await server.ctx.db.execute(
      sql`select action, name from file_records where owner_id = ${session.userId} order by id`,
    )
    expect(records.rows).toMatchObject([
      { action: 'upload', name: 'packed.zip' },
      { action: 'unpack', name: 'packed' },
    ])
  })

  it('stays where something of it was left out', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const archive = zipOf([
      { name: '1.txt', bytes: bytes('one') },
      { name: '../2.txt', bytes: bytes('two') },
    ])
    await work(server.ctx, await uploadToUnpack(session, archive, 'packed'))
    expect(await names(session, null)).toEqual(['packed', 'packed.zip'])
  })
})

describe('an archive with backslashes', () => {
  it('has folders where no name has a slash, and leads nowhere else', async () => {
    const found = await unpackZip([
      { name: 'ward\\left\\', bytes: bytes('') },
      { name: 'ward\\left\\1.txt', bytes: bytes('1') },
      { name: 'ward\\right\\2.txt', bytes: bytes('2') },
      { name: '..\\up.txt', bytes: bytes('evil') },
      { name: 'C:\\up.txt', bytes: bytes('evil') },
    ])
    expect(Object.keys(reasons(found.leftOut)).sort()).toEqual(['../up.txt', 'C:/up.txt'])
    expect(await names(found.session, found.folderId)).toEqual(['left', 'right'])
  })
})

const samples = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data'),
  'reported/30-zip-with-backslashes',
)

it.skipIf(!existsSync(samples)).each(['study.zip', 'study_fat.zip'])(
  '%s of another tool comes out with its folders',
  async (name) => {
    const session = await server.signUp({ vipLevel: 2 })
    const found = await unpack(session, await readFile(join(samples, name)), name)
    expect(found).toMatchObject({ state: 'done', doneFiles: 12, leftOutCount: 0 })
    expect(await names(session, found.folderId)).toEqual(['benign', 'malignant'])
  },
)

describe('a hostile archive', () => {
  it('puts nothing anywhere but into its folder, and names each entry that was left out with its reason', async () => {
    const evil = bytes('evil')
    const found = await unpackZip([
      { name: 'good.txt', bytes: bytes('good') },
      { name: '../up.txt', bytes: evil },
      { name: 'a/../../up.txt', bytes: evil },
      { name: '/etc/passwd', bytes: evil },
      { name: '..\\up.txt', bytes: evil },
      { name: 'C:evil.txt', bytes: evil },
      { name: 'nul\0byte.txt', bytes: evil },
      { name: 'line\nbreak.txt', bytes: evil },
      { name: `${'x'.repeat(fileLimits.nameLength + 1)}.txt`, bytes: evil },
      { name: `${'d/'.repeat(50)}deep.txt`, bytes: evil },
      { name: 'link', bytes: bytes('/etc/passwd'), unixType: 0o120000 },
      { name: 'link/through.txt', bytes: evil },
      { name: 'device', unixType: 0o020000 },
      { name: 'pipe', unixType: 0o010000 },
      { name: 'secret.txt', bytes: evil, isEncrypted: true },
      { name: 'strange.txt', bytes: evil, method: 99 },
      { name: 'broken.txt', bytes: bytes('broken'), crc32: 1 },
      { name: 'longer.txt', bytes: bytes('x'.repeat(5000)), saidBytes: 10 },
      { name: 'shorter.txt', bytes: bytes('x'), saidBytes: 5000 },
      { name: 'setuid', bytes: bytes('plain'), unixType: 0o104755 },
      { name: '__MACOSX/._good.txt', bytes: bytes('clutter') },
    ])
    expect(reasons(found.leftOut)).toEqual({
      '../up.txt': 'name',
      'a/../../up.txt': 'name',
      '/etc/passwd': 'name',
      '..\\up.txt': 'name',
      'C:evil.txt': 'name',
      'nul\uFFFDbyte.txt': 'name',
      'line\uFFFDbreak.txt': 'name',
      [`${'x'.repeat(fileLimits.nameLength + 1)}.txt`]: 'name',
      [`${'d/'.repeat(50)}deep.txt`]: 'too_deep',
      link: 'link',
      device: 'special',
      pipe: 'special',
      'secret.txt': 'encrypted',
      'strange.txt': 'method',
      'broken.txt': 'damaged',
      'longer.txt': 'damaged',
      'shorter.txt': 'damaged',
      '__MACOSX/._good.txt': 'system',
    })
    expect(found).toMatchObject({ state: 'done', doneFiles: 3, leftOutCount: 18 })
    expect(await names(found.session, found.folderId)).toEqual(['link', 'good.txt', 'setuid'])
    expect(await names(found.session, null)).toEqual(['scans', 'scans.zip'])
    expect((await storage(found.session)).reserved).toBe(0)
  })

  it('gives names that other systems take for one a number, and says so', async () => {
    const found = await unpackZip([
      { name: 'Scan.txt', bytes: bytes('1') },
      { name: 'scan.txt', bytes: bytes('2') },
      { name: 'Scan.txt', bytes: bytes('3') },
      { name: 'caf\u00e9.txt', bytes: bytes('4') },
      { name: 'cafe\u0301.txt', bytes: bytes('5') },
      { name: 'A/1.txt', bytes: bytes('6') },
      { name: 'a/1.txt', bytes: bytes('7') },
    ])
    expect(await names(found.session, found.folderId)).toEqual([
      'A',
      'a (2)',
      'caf\u00e9 (2).txt',
      'caf\u00e9.txt',
      'scan (2).txt',
      'Scan (3).txt',
      'Scan.txt',
    ])
    expect(found.renamed).toHaveLength(4)
  })

  it('counts no byte twice: entries that overlap are left out', async () => {
    const archive = zipOf([
      { name: 'kernel.txt', bytes: bytes('x'.repeat(1000)) },
      { name: 'again.txt', bytes: bytes('x'.repeat(1000)), offsetOf: 0 },
    ])
    const session = await server.signUp({ vipLevel: 2 })
    const found = await unpack(session, archive)
    expect(reasons(found.leftOut)).toEqual({ 'again.txt': 'overlaps' })
    expect(found.doneFiles).toBe(1)
  })

  it('refuses a bomb before a byte comes out', async () => {
    const found = await unpackZip([{ name: 'bomb.bin', bytes: bytes('x'), saidBytes: limits.bombBytes + 1 }])
    expect(found).toMatchObject({ state: 'failed', failure: 'bomb', folderId: null })
    expect(await names(found.session, null)).toEqual(['scans.zip'])
    expect((await storage(found.session)).reserved).toBe(0)
  })

  it('refuses one with too many entries, and one with none', async () => {
    const many = Array.from({ length: limits.entries + 1 }, (_, n) => ({ name: `${n}`, bytes: bytes('') }))
    expect(await unpackZip(many)).toMatchObject({ state: 'failed', failure: 'too_many' })
    expect(await unpackZip([{ name: 'folder/' }])).toMatchObject({ state: 'failed', failure: 'empty' })
    expect(await unpackZip([])).toMatchObject({ state: 'failed', failure: 'empty' })
  })

  it('says that it cannot be read when it is cut, no archive at all, or has something before it', async () => {
    const whole = zipOf([{ name: '1.txt', bytes: bytes('one') }])
    for (const archive of [whole.subarray(0, whole.length - 30), bytes('not a zip'), bytes('')]) {
      const session = await server.signUp({ vipLevel: 2 })
      expect(await unpack(session, archive)).toMatchObject({ state: 'failed', failure: 'unreadable' })
      expect(await names(session, null)).toEqual(['scans.zip'])
    }
    const session = await server.signUp({ vipLevel: 2 })
    const shifted = Buffer.concat([bytes('before'), whole])
    expect(await unpack(session, shifted)).toMatchObject({ state: 'failed', folderId: null })
  })

  it('leaves links and devices of a tar out, and what leads out of it', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const archive = await tarOf([
      { name: 'good.txt', text: 'good' },
      { name: 'hard', type: 'link', linkname: 'good.txt' },
      { name: 'soft', type: 'symlink', linkname: '/etc' },
      { name: 'soft/through.txt', text: 'evil' },
      { name: 'device', type: 'character-device' },
      { name: '../up.txt', text: 'evil' },
    ])
    const found = await unpack(session, gzipSync(archive), 'scans.tar.gz')
    expect(reasons(found.leftOut)).toEqual({
      hard: 'link',
      soft: 'link',
      device: 'special',
      '../up.txt': 'name',
    })
    expect(await names(session, found.folderId)).toEqual(['soft', 'good.txt'])
  })
})

describe('limits', () => {
  it('reserves space before anything comes out, and refuses what does not fit', async () => {
    const session = await server.signUp({ vipLevel: 1 })
    await server.call(
      'files/prepare',
      { parentId: null, sameName: 'rename', files: [{ path: 'rest.bin', sizeBytes: 1024 ** 3 - 3000 }] },
      session,
    )
    const found = await unpack(session, zipOf([{ name: 'large.txt', bytes: bytes('x'.repeat(5000)) }]))
    expect(found).toMatchObject({ state: 'failed', failure: 'storage_full', folderId: null })
    expect(found.params.neededBytes).toBe(5000)
  })

  it('makes no fourth folder at the top of an ordinary member', async () => {
    const session = await server.signUp({ vipLevel: 1 })
    for (const name of ['a', 'b', 'c'])
      await server.call('files/createFolder', { parentId: null, name }, session)
    const found = await unpack(session, zipOf([{ name: '1.txt', bytes: bytes('1') }]))
    expect(found).toMatchObject({ state: 'failed', failure: 'plan_limit', params: { limit: 3 } })
  })

  it('is for own archives, one at a time', async () => {
    const [owner, stranger] = [await server.signUp(), await server.signUp()]
    await upload(server, owner, {
      files: [
        { path: 'a.zip', bytes: zipOf([{ name: '1.txt', bytes: bytes('1') }]) },
        { path: 'b.png', bytes: bytes('no archive') },
      ],
    })
    const [archive, picture] = await list(owner, null)
    const ask = (id: string, who: Session) => server.call('files/unpack', { id }, who)
    expect((await ask(archive?.id ?? '', stranger)).data.error).toBe('missing')
    expect((await ask(picture?.id ?? '', owner)).data.error).toBe('archive_unknown')
    const first = await ask(archive?.id ?? '', owner)
    expect((await ask(archive?.id ?? '', owner)).data.error).toBe('unpack_running')
    expect((await server.call('files/unpacks', {}, stranger)).data.unpacks).toEqual([])
    expect((await server.call('files/stopUnpack', { id: first.data.id }, stranger)).data.stopped).toBe(false)
    expect((await server.call('files/stopUnpack', { id: first.data.id }, owner)).data.stopped).toBe(true)
    await work(server.ctx, first.data.id)
    expect(await report(owner, first.data.id)).toMatchObject({ state: 'failed', failure: 'stopped' })
    await server.call('files/dismissUnpack', { ids: [first.data.id] }, owner)
    expect((await server.call('files/unpacks', {}, owner)).data.unpacks).toEqual([])
  })
})

describe('after a crash', () => {
  it('goes on where it was, without leftovers and with nothing twice', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const count = limits.batch + 20
    const entries = Array.from({ length: count }, (_, n) => ({
      name: `d/${n}.txt`,
      bytes: bytes(`file ${n}`),
    }))
    const id = await uploadToUnpack(session, zipOf(entries), 'unpack')
    // The first worker dies after the first step has become visible.
    await dieAfter(id, limits.batch)
    expect(await report(session, id)).toMatchObject({ state: 'working', doneFiles: limits.batch })
    // While it could still be alive nobody takes its work.
    await work(server.ctx, id)
    expect(await report(session, id)).toMatchObject({ doneFiles: limits.batch })
    await server.ctx.db.execute(
      sql`update unpacks set lease_until = now() - interval '1 second' where id = ${id}`,
    )
    await recover(server.ctx)
    await work(server.ctx, id)
    const found = await report(session, id)
    expect(found).toMatchObject({ state: 'done', doneFiles: count, leftOutCount: 0 })
    const total = entries.reduce((sum, entry) => sum + entry.bytes.length, 0)
    expect(await storage(session)).toEqual({ used: total, reserved: 0 })
    const [folder] = await list(session, null)
    expect(folder).toMatchObject({ name: 'd', fileCount: count, sizeBytes: total })
    expect(await readdir(unpackFolder(server.ctx))).toEqual([])
  })

  it('gives up after three workers died over it, and returns the space', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const id = await uploadToUnpack(session, zipOf([{ name: '1.txt', bytes: bytes('1') }]), 'unpack')
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await claim(server.ctx, id)
      await server.ctx.db.execute(
        sql`update unpacks set lease_until = now() - interval '1 second' where id = ${id}`,
      )
    }
    await work(server.ctx, id)
    expect(await report(session, id)).toMatchObject({ state: 'failed', failure: 'internal' })
    expect((await storage(session)).reserved).toBe(0)
  })

  it('ends when its folder was removed meanwhile', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const entries = Array.from({ length: limits.batch + 5 }, (_, n) => ({
      name: `d/${n}.txt`,
      bytes: bytes('x'),
    }))
    const id = await uploadToUnpack(session, zipOf(entries), 'unpack')
    await dieAfter(id, limits.batch)
    const { folderId } = await report(session, id)
    await server.call('files/remove', { ids: [folderId ?? ''] }, session)
    await server.ctx.db.execute(
      sql`update unpacks set lease_until = now() - interval '1 second' where id = ${id}`,
    )
    await work(server.ctx, id)
    expect(await report(session, id)).toMatchObject({ state: 'failed', failure: 'removed' })
    expect((await storage(session)).reserved).toBe(0)
  })
})

/** A worker whose process is gone at the step after `files` files: its claim stands, nothing tidies up. */
async function dieAfter(id: string, files: number): Promise<void> {
  const { db } = server.ctx
  const dying = Object.create(db, {
    transaction: {
      value: async (...args: Parameters<typeof db.transaction>) => {
        const { rows } = await db.execute<{ done: number }>(
          sql`select done_files as done from unpacks where id = ${id}`,
        )
        if (Number(rows[0]?.done) >= files) throw new Error('the process is gone')
        return db.transaction(...args)
      },
    },
  })
  await work({ ...server.ctx, db: dying }, id).catch(() => undefined)
}

/** Uploads an archive that is to be unpacked at once; answers with the unpacking's number. */
async function uploadToUnpack(session: Session, archive: Buffer, mode: 'unpack' | 'packed'): Promise<string> {
  const { data } = await server.call(
    'files/prepare',
    {
      parentId: null,
      sameName: 'rename',
      files: [{ path: 'packed.zip', sizeBytes: archive.length, unpack: mode }],
    },
    session,
  )
  await tusCreate(server, session, { upload: data.uploads[0] ?? '', bytes: archive })
  return (await server.call('files/unpacks', {}, session)).data.unpacks[0]?.id ?? ''
}

type TarEntry = {
  name: string
  text?: string
  type?: 'file' | 'directory' | 'link' | 'symlink' | 'character-device'
  linkname?: string
}

async function tarOf(entries: TarEntry[]): Promise<Buffer> {
  const archive = pack()
  for (const { name, text = '', type = 'file', linkname } of entries)
    archive.entry({ name, type, ...(linkname ? { linkname } : {}) }, text)
  archive.finalize()
  return buffer(Readable.from(archive))
}
