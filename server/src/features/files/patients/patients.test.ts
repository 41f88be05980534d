import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume } from '../../../../test/images.ts'
import { makeFolder, put } from '../../../../test/sharing.ts'
import { unzip } from '../../../../test/unzip.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { zipOf } from '../../../../test/zip.ts'
import { checkNew } from '../check.ts'
import { candidatesOf } from '../convert/plan.ts'
import { walk } from '../service.ts'
import { groupMembers, links } from '../sharing/tables.ts'
import { files } from '../tables.ts'
import { linkEyes } from '../view/eyes.ts'

let server: TestServer
let owner: Session
let friend: Session & { account: string }
beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp({ vipLevel: 4, role: 1 })
  friend = await server.signUp({ vipLevel: 2 })
})
afterAll(() => server.close())

let slices = 0
/** Bytes that nobody has looked at. */
const count = (): number => {
  slices += 1
  return slices
}
/** As a scanner writes it, and as it is without its patient. */
const named = (): Buffer => dicomSlice({ patient: 'Doe^Jane', number: count() })
const nameless = (): Buffer => dicomSlice({ patient: '', number: count() })

let folders = 0
async function mixed(): Promise<{ folder: string; withName: string; without: string; text: string }> {
  folders += 1
  const folder = await makeFolder(server, owner, `scans ${folders}`)
  const file = (name: string, bytes: Buffer) => put(server, owner, { parentId: folder, name, bytes })
  return {
    folder,
    withName: await file('named.dcm', named()),
    without: await file('IM0001', nameless()),
    text: await file('readme.txt', Buffer.from('text')),
  }
}
const rowOf = async (id: string) => {
  const [row] = await server.ctx.db.select().from(files).where(eq(files.id, id))
  if (!row) throw new Error(id)
  return row
}
const linkIdOf = async (entryId: string): Promise<string> => {
  const [link] = await server.ctx.db.select().from(links).where(eq(links.entryId, entryId))
  return link?.id ?? ''
}
const share = (id: string, withPatients?: boolean) =>
  server.call(
    'files/share',
    {
      id,
      account: friend.account,
      permission: 'view',
      ...(withPatients === undefined ? {} : { withPatients }),
    },
    owner,
  )
const error = async (id: string, who: Session) => (await server.call('files/open', { id }, who)).data.error
const zipNames = async (url: string): Promise<string[]> => {
  const response = await fetch(server.url + url)
  return [...(await unzip(Buffer.from(await response.arrayBuffer()))).keys()]
    .map((name) => name.split('/').at(-1) ?? '')
    .sort()
}

describe('files that name their patient', () => {
  it('are given by no share without the owner’s word, and the refusal counts them', async () => {
    const { folder, withName, without } = await mixed()
    const refused = await share(folder)
    expect(refused.data).toMatchObject({ error: 'patients_named', params: { count: 1, total: 3 } })
    expect((await share(withName)).data.error).toBe('patients_named')
    expect((await share(without)).code).toBe(10200)
    const link = await server.call('files/createLink', { id: folder, days: 1 }, owner)
    expect(link.data.error).toBe('patients_named')
    const group = await server.call('files/createGroup', { name: 'g', about: '' }, owner)
    const toGroup = { groupId: group.data.id, ids: [folder], permission: 'view' as const }
    expect((await server.call('files/giveToGroup', toGroup, owner)).data.error).toBe('patients_named')
    const shared = (await server.call('files/shares', { id: folder }, owner)).data
    expect(shared).toMatchObject({ shares: [], links: [] })
    expect((await server.call('files/giveToGroup', { ...toGroup, withPatients: true }, owner)).code).toBe(
      10200,
    )
  })

  it('are given with the owner’s word, to look at, as a zip and as a copy', async () => {
    const { folder, withName } = await mixed()
    expect((await share(folder, true)).code).toBe(10200)
    expect(await error(withName, friend)).toBeUndefined()
    const { url } = (await server.call('files/download', { ids: [folder] }, friend)).data
    expect(await zipNames(url)).toEqual(['IM0001', 'named.dcm', 'readme.txt'])
  })

  it('that come in later are withheld from a share without that word: opened, listed as picture, zipped, copied', async () => {
    const { folder, withName, without } = await mixed()
    await server.call('files/remove', { ids: [withName] }, owner)
    expect((await share(folder)).code).toBe(10200)
    const { link, token } = (await server.call('files/createLink', { id: folder, days: 1 }, owner)).data
    const later = await put(server, owner, { parentId: folder, name: 'later.dcm', bytes: named() })
    const harmless = await put(server, owner, { parentId: folder, name: 'clean.dcm', bytes: nameless() })
    // Nobody has looked at it yet.
    expect(await error(harmless, friend)).toBe('missing')
    await checkNew(makeWorker(server), owner.userId)
    expect(await error(harmless, friend)).toBeUndefined()
    expect(await error(without, friend)).toBeUndefined()
    expect(await error(later, friend)).toBe('missing')
    expect((await server.call('files/view', { id: later }, friend)).data.error).toBe('missing')
    expect(await error(later, owner)).toBeUndefined()
    const zip = (await server.call('files/download', { ids: [folder] }, friend)).data.url
    expect(await zipNames(zip)).toEqual(['IM0001', 'clean.dcm', 'readme.txt'])
    const copied = await server.call(
      'files/copy',
      { ids: [folder], targetId: null, sameName: 'rename' },
      friend,
    )
    expect(copied.code).toBe(10200)
    const { rows } = await server.ctx.db.execute(
      sql`select name from files where owner_id = ${friend.userId} and kind = 'file' order by name`,
    )
    expect(rows.map(({ name }) => name)).toEqual(['IM0001', 'clean.dcm', 'readme.txt'])
    // By the link the same.
    const { pass } = (await server.call('files/visitLink', { token })).data
    const linked = await server.call('files/listLinked', { pass: pass ?? '', folderId: null })
    expect(linked.data.entries.map(({ name }) => name)).toEqual(['clean.dcm', 'IM0001', 'readme.txt'])
    expect((await server.call('files/openLinked', { pass: pass ?? '', id: later })).data.error).toBe(
      'missing',
    )
    const whole = await server.call('files/openLinked', { pass: pass ?? '', id: folder, download: true })
    expect(await zipNames(whole.data.url)).toEqual(['IM0001', 'clean.dcm', 'readme.txt'])
    expect(link.id).toBeTypeOf('string')
  })

  it('stand in no list, search, series, conversion or walk of others; how many there are is told', async () => {
    const { folder, withName, without } = await mixed()
    await server.call('files/remove', { ids: [withName] }, owner)
    expect((await share(folder)).code).toBe(10200)
    const { token } = (await server.call('files/createLink', { id: folder, days: 1 }, owner)).data
    const inner = await makeFolder(server, owner, 'inner', folder)
    const deep = await put(server, owner, { parentId: inner, name: 'Doe-Jane.dcm', bytes: named() })
    await put(server, owner, { parentId: folder, name: 'Doe-John.dcm', bytes: named() })
    const listed = async (who: Session, asked: object = {}) => {
      const { data } = await server.call('files/list', { folderId: folder, ...asked }, who)
      return { names: data.entries.map(({ name }) => name), total: data.total, withheld: data.withheld }
    }
    const names = ['inner', 'IM0001', 'readme.txt']
    expect(await listed(friend)).toEqual({ names, total: 3, withheld: 1 })
    expect(await listed(friend, { search: 'doe', below: true })).toEqual({ names: [], total: 0, withheld: 2 })
    expect(await listed(owner, { search: 'doe', below: true })).toMatchObject({ total: 2, withheld: 0 })
    const found = async (who: Session) =>
      (await server.call('search/all', { text: 'Doe-J' }, who)).data.files.map(({ name }) => name)
    expect((await found(owner)).sort()).toEqual(['Doe-Jane.dcm', 'Doe-John.dcm'])
    expect(await found(friend)).toEqual([])
    const { pass } = (await server.call('files/visitLink', { token })).data
    const linked = await server.call('files/listLinked', { pass: pass ?? '', folderId: null })
    expect(linked.data).toMatchObject({ total: 3, withheld: 1 })
    const seen = await linkEyes(server.ctx, await linkIdOf(folder)).among(await rowOf(without), [
      without,
      deep,
    ])
    expect([...seen]).toEqual([without])
    const pathsFor = async ({ userId }: Session) =>
      (await walk(server.ctx.db, { id: userId }, folder)).files.map(({ path }) => path)
    expect(await pathsFor(friend)).toEqual(['IM0001', 'readme.txt'])
    expect(await pathsFor(owner)).toHaveLength(4)
    const candidates = async (who: Session) =>
      candidatesOf(server.ctx.db, { id: who.userId }, [{ ...(await rowOf(folder)), access: 'view' }])
    expect((await candidates(friend)).map(({ name }) => name)).toEqual(['IM0001'])
    expect((await candidates(owner)).map(({ name }) => name)).toEqual(['Doe-John.dcm', 'IM0001'])
    // A single one that was given with the owner's word stands in the list too.
    const groupId = (await server.call('files/createGroup', { name: 'one', about: '' }, owner)).data.id
    await server.ctx.db.insert(groupMembers).values({ groupId, userId: friend.userId, joinedAt: new Date() })
    const single = { groupId, ids: [deep], permission: 'view' as const, withPatients: true }
    expect((await server.call('files/giveToGroup', single, owner)).code).toBe(10200)
    expect(await listed(friend, { search: 'doe', below: true })).toMatchObject({ total: 1, withheld: 1 })
    expect(await found(friend)).toEqual(['Doe-Jane.dcm'])
  })

  it('hide in archives too: a zip or tar is looked into, and what cannot be known may name somebody', async () => {
    const slice = { name: 'disc/IM0001', bytes: named() }
    const cases: [string, Buffer, boolean][] = [
      ['named.zip', zipOf([slice]), true],
      ['named.tar', await tarOf([slice]), true],
      ['named.tar.gz', gzipSync(await tarOf([slice])), true],
      [
        'free.zip',
        zipOf([
          { name: 'a.dcm', bytes: nameless() },
          { name: 'README', bytes: Buffer.from('hi') },
        ]),
        false,
      ],
      ['free.tgz', gzipSync(await tarOf([{ name: 'a.dcm', bytes: nameless() }])), false],
      ['locked.zip', zipOf([{ ...slice, isEncrypted: true }]), true],
      ['zip in a.zip', zipOf([{ name: 'b.zip', bytes: zipOf([slice]) }]), true],
      ['broken.zip', zipOf([slice]).subarray(0, 40), true],
      ['unknown.7z', Buffer.from('7z..'), true],
      ['scan.par', Buffer.from(`${par}.    Patient name   :   Doe^Jane\n`), true],
      ['free.par', Buffer.from(`${par}.    Patient name   :   \n`), false],
      [
        'told.zip',
        zipOf([{ name: 'scan.par', bytes: Buffer.from(`${par}.    Patient name   :   Doe\n`) }]),
        true,
      ],
      ['brain.nii.gz', describedVolume('FSL5.0'), false],
      ['told.nii.gz', describedVolume('name=Doe^Jane'), true],
      ['told.nrrd', Buffer.from('NRRD0004\n# made\nPatientName:=Doe^Jane\n\n'), true],
      ['free.nrrd', Buffer.from('NRRD0004\n# made\nPatientName:=\nspace: left\n\n'), false],
      ['numbered.nrrd', Buffer.from('NRRD0004\n0010|0010:=Doe^Jane\n\n'), true],
      ['birth.nhdr', Buffer.from('NRRD0004\n0010|0010:=\n0010|0030:=19700101\n\n'), true],
      ['removed.nrrd', Buffer.from('NRRD0004\n0010|0020:=7\n0012|0062:=YES\n\n'), false],
      ['numbered.mha', Buffer.from(meta('0010|0010 = Doe^Jane')), true],
      ['said.mhd', Buffer.from(meta('PatientID = 4711')), true],
      ['free.mha', Buffer.from(`${meta('Modality = MET_MOD_MR')}PatientName = pixels`), false],
      ['told.hdr', analyze({ at: 283, text: '4711' }), true],
      ['described.hdr', analyze({ at: 148, text: 'Doe^Jane' }), true],
      ['free.hdr', analyze({ at: 148, text: 'SPM' }), false],
      ['meta.zip', zipOf([{ name: 'a.mha', bytes: Buffer.from(meta('0010|0010 = Doe')) }]), true],
    ]
    const folder = await makeFolder(server, owner, 'archives')
    const ids = new Map<string, string>()
    for (const [name, bytes] of cases)
      ids.set(name, await put(server, owner, { parentId: folder, name, bytes }))
    await checkNew(makeWorker(server), owner.userId)
    const refused: [string, boolean][] = []
    for (const [name] of cases)
      refused.push([name, (await share(ids.get(name) ?? '')).data.error === 'patients_named'])
    expect(refused).toEqual(cases.map(([name, , isNamed]) => [name, isNamed]))
  })
})

const par = '# === DATA DESCRIPTION FILE ======\n#\n'
const meta = (line: string): string =>
  `ObjectType = Image\nNDims = 2\n${line}\nDimSize = 1 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n`
function analyze({ at, text }: { at: number; text: string }): Buffer {
  const bytes = Buffer.alloc(348)
  bytes.writeInt32LE(348)
  bytes.write(text, at, 'latin1')
  return bytes
}
function describedVolume(text: string): Buffer {
  const bytes = gunzipSync(niftiVolume({ size: [2, 2, 2] }))
  bytes.fill(0, 148, 228).write(text, 148, 'latin1')
  return gzipSync(bytes)
}
async function tarOf(entries: readonly { name: string; bytes: Buffer }[]): Promise<Buffer> {
  const tar = pack()
  for (const { name, bytes } of entries) tar.entry({ name }, bytes)
  tar.finalize()
  return buffer(tar)
}
