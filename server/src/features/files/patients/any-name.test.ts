/** Whether a file names its patient is told by its bytes, under any name and at any depth. */
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume, tinyPng } from '../../../../test/images.ts'
import { makeFolder, put } from '../../../../test/sharing.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { zipOf } from '../../../../test/zip.ts'
import { dicomBytes, type Entry, elementBytes, sequence } from '../../../infra/reader/dicom/bytes.ts'
import { EXPLICIT } from '../../../infra/reader/dicom/file.ts'
import { checkNew, learnForgotten } from '../check.ts'

let server: TestServer
let owner: Session
let friend: Session & { account: string }
beforeAll(async () => {
  server = await makeServer()
  friend = await server.signUp({ vipLevel: 2 })
})
afterAll(() => server.close())
// A member may share so many things.
beforeEach(async () => {
  owner = await server.signUp({ vipLevel: 4 })
})

let count = 0
/** Bytes that nobody has looked at. */
const next = (): number => {
  count += 1
  return count
}
const named = (): Buffer => dicomSlice({ patient: 'Doe^Jane', number: next() })
const nameless = (): Buffer => dicomSlice({ patient: '', number: next() })
const object = (entries: readonly Entry[]): Entry[] => [
  ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.7'],
  ['00080018', 'UI', `2.25.${next()}`],
  ['00080060', 'CS', 'OT'],
  ...entries,
]
const dicom = (...entries: Entry[]): Buffer => Buffer.concat(dicomBytes(EXPLICIT, object(entries)))
/** The elements alone, as archives wrote them before there were preambles. */
const bare = (isExplicit: boolean, ...entries: Entry[]): Buffer =>
  Buffer.concat(object(entries).map((entry) => elementBytes(entry, isExplicit)))
const patient: Entry = ['00100010', 'PN', 'Doe^Jane']

/** Of two elements, the greater byte first. */
function bigEndian(): Buffer {
  const element = (tag: number, type: string, text: string): Buffer => {
    const bytes = Buffer.alloc(8 + text.length)
    bytes.writeUInt32BE(tag)
    bytes.write(type, 4, 'latin1')
    bytes.writeUInt16BE(text.length, 6)
    bytes.write(text, 8, 'latin1')
    return bytes
  }
  return Buffer.concat([
    element(0x00080008, 'CS', 'ORIGINAL'),
    element(0x00080060, 'CS', 'MR'),
    element(0x00100010, 'PN', `Doe^Jane${next()}`),
  ])
}

/** In a file that does not name types. */
const untypedSequence = (tag: string, ...entries: Entry[]): Buffer => {
  const item = Buffer.concat(entries.map((entry) => elementBytes(entry, false)))
  const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0])
  head.writeUInt32LE(item.length, 4)
  return elementBytes([tag, 'UN', Buffer.concat([head, item])], true)
}

async function linkError(id: string): Promise<string | undefined> {
  const { data } = await server.call('files/createLink', { id, days: 1 }, owner)
  return 'error' in data ? String(data.error) : undefined
}

async function refusedAmong(cases: readonly (readonly [string, Buffer])[]): Promise<string[]> {
  const folder = await makeFolder(server, owner, `case ${next()}`)
  const files: { name: string; id: string }[] = []
  for (const [name, bytes] of cases)
    files.push({ name, id: await put(server, owner, { parentId: folder, name, bytes }) })
  await checkNew(makeWorker(server), owner.userId)
  const refused: string[] = []
  for (const { name, id } of files) {
    if ((await linkError(id)) === 'patients_named') refused.push(name)
  }
  return refused
}
const namesOf = (cases: readonly (readonly [string, Buffer])[]): string[] => cases.map(([name]) => name)

describe('the mark "names its patient"', () => {
  it('is set by the bytes, whatever a file is called', async () => {
    const endings = [
      'acr',
      'dat',
      'img',
      'raw',
      'bin',
      'txt',
      'jpg',
      'png',
      'tif',
      'pdf',
      '影像',
      'dcm_',
      'bak',
    ]
    const cases = [
      ...endings.map((ending) => [`scan.${ending}`, named()] as const),
      ['影像', named()] as const,
      ['bare.dat', bare(true, patient)] as const,
      ['untyped.raw', bare(false, patient)] as const,
      ['stray.bin', Buffer.concat([Buffer.alloc(1), bare(true, patient)])] as const,
      ['turned.img', bigEndian()] as const,
      ['packed.txt', gzipSync(named())] as const,
      ['disc.bin', zipOf([{ name: 'disc/scan.jpg', bytes: named() }])] as const,
      ['inside.zip', zipOf([{ name: 'scan.acr', bytes: named() }])] as const,
      [
        'scan.md',
        Buffer.from('# === DATA DESCRIPTION FILE ======\n.    Patient name   :   Doe^Jane\n'),
      ] as const,
    ]
    expect(await refusedAmong(cases)).toEqual(namesOf(cases))
  })

  it('is set by what de-identification would take out, at any depth', async () => {
    const request: Entry = ['00400275', 'SQ', sequence([patient])]
    const cases = [
      ['in a sequence.dcm', dicom(request)],
      ['two deep.dcm', dicom(['0040a730', 'SQ', sequence([request])])],
      ['other numbers.dcm', dicom(['00101002', 'SQ', sequence([['00100020', 'LO', '4711-A']])])],
      ['private.dcm', dicom(['00090010', 'LO', 'MAKER'], ['00091001', 'PN', 'Doe^Jane'])],
      ['private text.dcm', dicom(['00090010', 'LO', 'MAKER'], ['00091001', 'LO', 'Doe^Jane'])],
      ['private bytes.dcm', dicom(['00090010', 'LO', 'MAKER'], ['00091001', 'UN', Buffer.from('Doe^Jane')])],
      ['birth name.dcm', dicom(['00101005', 'PN', 'Roe^Jane'])],
      ['mother.dcm', dicom(['00101060', 'PN', 'Roe^Ann'])],
      ['directory.dat', dicom(['00041220', 'SQ', sequence([['00041430', 'CS', 'PATIENT'], patient])])],
      ['removed but there.dcm', dicom(patient, ['00120062', 'CS', 'YES'])],
      ['untyped sequence.raw', Buffer.concat([bare(true), untypedSequence('00400275', patient)])],
    ] as const
    expect(await refusedAmong(cases)).toEqual(namesOf(cases))
  })

  it('is not set where nobody is named', async () => {
    const cases = [
      ['clean.dat', nameless()],
      ['clean.jpg', nameless()],
      [
        'stand-ins.dcm',
        dicom(['00100010', 'PN', 'LIDC-0001'], ['00100020', 'LO', 'LIDC-0001'], ['00120062', 'CS', 'YES']),
      ],
      ['staff.dcm', dicom(['00080090', 'PN', 'House^Gregory'])],
      ['private.dcm', dicom(['00090010', 'LO', 'MAKER'], ['00091001', 'LO', '10^3 m/s'])],
      ['text.txt', Buffer.from(`notes ${next()}`)],
      ['picture.png', await tinyPng()],
      ['volume.bin', niftiVolume({ size: [2, 2, 2], seed: 7 })],
      ['table.xlsx', zipOf([{ name: '[Content_Types].xml', bytes: Buffer.from(`<x>${next()}</x>`) }])],
    ] as const
    expect(await refusedAmong(cases)).toEqual([])
  })

  it('withholds a file that arrives in a shared folder at once, before anybody looked into it', async () => {
    const folder = await makeFolder(server, owner, 'shared before')
    const given = { id: folder, account: friend.account, permission: 'view' as const }
    expect((await server.call('files/share', given, owner)).code).toBe(10200)
    const scan = await put(server, owner, { parentId: folder, name: 'scan.dat', bytes: named() })
    const clean = await put(server, owner, { parentId: folder, name: 'clean.dat', bytes: nameless() })
    const text = await put(server, owner, { parentId: folder, name: 'a.txt', bytes: Buffer.from('text a') })
    const seen = async (): Promise<string[]> =>
      (await server.call('files/list', { folderId: folder }, friend)).data.entries.map(({ id }) => id)
    expect(await seen()).toEqual([text])
    await checkNew(makeWorker(server), owner.userId)
    expect((await seen()).sort()).toEqual([clean, text].sort())
    expect((await server.call('files/view', { id: scan }, friend)).data.error).toBe('missing')
  })

  it('holds for all files of the same bytes once the viewer found a name', async () => {
    const bytes = dicom(['00400275', 'SQ', sequence([patient])])
    const other = await put(server, owner, { parentId: null, name: 'other name.raw', bytes })
    // As bytes were stored before anybody looked at them.
    await server.ctx.db.execute(sql`update blobs set patient_hint = 'none'`)
    await server.ctx.db.execute(sql`delete from dicom_places`)
    expect(await linkError(other)).toBeUndefined()
    const opened = await put(server, owner, { parentId: null, name: 'opened.dcm', bytes })
    expect((await server.call('files/view', { id: opened }, owner)).data.patient).toBe('named')
    expect(await linkError(other)).toBe('patients_named')
  })

  it('is set afterwards for bytes that came before marks did', async () => {
    const id = await put(server, owner, { parentId: null, name: 'old.dat', bytes: named() })
    const { rows } = await server.ctx.db.execute<{ sha256: string }>(
      sql`select sha256 from files where id = ${id}`,
    )
    await server.ctx.db.execute(sql`update blobs set patient_hint = null where sha256 = ${rows[0]?.sha256}`)
    await learnForgotten(server.ctx)
    const known = await server.ctx.db.execute(sql`
      select patient_hint, names_patient from blobs left join dicom_places using (sha256)
      where sha256 = ${rows[0]?.sha256}`)
    expect(known.rows).toEqual([{ patient_hint: 'likely', names_patient: true }])
  })
})
