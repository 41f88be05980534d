import { readdir, rm } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type SeriesWish, type View, workbookSchema } from '@neuroloom/contract/viewing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume, tinyPng } from '../../../../test/images.ts'
import { upload } from '../../../../test/uploads.ts'
import { containerOf, workbookOf } from '../../../../test/workbooks.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { checkNew } from '../check.ts'
import { sweepViews } from './sweep.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** The ids of uploaded files by their names. */
async function put(
  session: Session,
  files: Record<string, Buffer>,
  folder = '',
): Promise<Map<string, string>> {
  const list = Object.entries(files).map(([name, bytes]) => ({
    path: folder === '' ? name : `${folder}/${name}`,
    bytes,
  }))
  const folderId = await upload(server, session, { files: list })
  const { data } = await server.call('files/list', { folderId: folder === '' ? null : folderId }, session)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

async function see(session: Session, id: string, series: SeriesWish = false): Promise<View> {
  const { data, code, message } = await server.call('files/view', { id, series }, session)
  if (code !== 10200) throw new Error(message)
  return data
}

const fetchShown = async ({ url }: View): Promise<Buffer> => {
  const response = await fetch(server.url + url)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const slices = (count: number, change: (index: number) => Parameters<typeof dicomSlice>[0] = () => ({})) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${index + 1}.dcm`,
      dicomSlice({ number: index, ...change(index) }),
    ]),
  )

describe('one file', () => {
  it('that is a volume is handed over as NIfTI, values and places unchanged', async () => {
    const me = await server.signUp()
    const bytes = niftiVolume({ size: [5, 4, 3], spacing: [1, 2, 3] })
    const ids = await put(me, { 'brain.nii.gz': bytes })
    const view = await see(me, ids.get('brain.nii.gz') ?? '')
    expect(view).toMatchObject({
      kind: 'volume',
      state: 'ready',
      facts: {
        format: 'nifti',
        size: [5, 4, 3, 1],
        layout: 'volume',
        spacing: [1, 2, 3],
        orientation: 'RAS',
      },
    })
    const [before, after] = [gunzipSync(bytes), gunzipSync(await fetchShown(view))]
    expect(after.subarray(352).equals(before.subarray(352))).toBe(true)
    expect(after.subarray(280, 328).equals(before.subarray(280, 328))).toBe(true)
  })

  it('that browsers know is shown itself, and text, tables, films and documents are not read at all', async () => {
    const me = await server.signUp()
    const png = await tinyPng()
    const ids = await put(me, {
      'a.png': png,
      'b.csv': Buffer.from('a,b\n1,2\n'),
      'c.json': Buffer.from('{}'),
      'd.yaml': Buffer.from('a: 1'),
      'e.txt': Buffer.from('hello'),
      'f.pdf': Buffer.from('%PDF-1.4 …'),
      'g.mp4': Buffer.from('....ftypisom'),
      'h.html': Buffer.from('<script>alert(1)</script>'),
    })
    const kinds = new Map<string, string>()
    for (const [name, id] of ids) kinds.set(name, (await see(me, id)).kind)
    expect(Object.fromEntries(kinds)).toEqual({
      'a.png': 'picture',
      'b.csv': 'table',
      'c.json': 'json',
      'd.yaml': 'yaml',
      'e.txt': 'text',
      'f.pdf': 'pdf',
      'g.mp4': 'video',
      'h.html': 'text',
    })
    expect((await fetchShown(await see(me, ids.get('a.png') ?? ''))).equals(png)).toBe(true)
    const html = await fetch(server.url + (await see(me, ids.get('h.html') ?? '')).url)
    expect(html.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(html.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('that is a workbook is handed over as cells of text, never as the file', async () => {
    const me = await server.signUp()
    const rows = '<row r="1"><c r="A1" t="str"><v>&lt;script&gt;</v></c></row>'
    const ids = await put(me, {
      'doses.xlsx': workbookOf({ sheets: [{ name: 'Doses', rows }] }),
      'locked.xlsx': containerOf('EncryptedPackage'),
      'old.xls': containerOf('Workbook'),
    })
    const view = await see(me, ids.get('doses.xlsx') ?? '')
    expect(view).toMatchObject({ kind: 'workbook', state: 'ready', facts: null, tags: [] })
    const { sheets } = workbookSchema.parse(JSON.parse((await fetchShown(view)).toString()))
    expect(sheets).toEqual([
      { name: 'Doses', isHidden: false, rows: [['<script>']], merged: [], isCut: false },
    ])
    const response = await fetch(server.url + view.url)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await see(me, ids.get('locked.xlsx') ?? '')).toMatchObject({
      kind: 'unsupported',
      reason: { name: 'workbook_locked' },
    })
    expect((await see(me, ids.get('old.xls') ?? '')).reason?.name).toBe('workbook_old')
  })

  it('that nobody can show says why', async () => {
    const me = await server.signUp()
    const ids = await put(me, {
      'a.exe': Buffer.from('MZ...'),
      'b.zip': Buffer.from('PK..'),
      'c.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'd.nii': Buffer.from('not an image'),
      'e.dcm': Buffer.alloc(0),
      'f.avi': Buffer.from('RIFF'),
    })
    const reasons: Record<string, string> = {}
    for (const [name, id] of ids) {
      const { kind, reason, url } = await see(me, id)
      expect(url).toBeNull()
      reasons[name] = `${kind} ${reason?.name}`
    }
    expect(reasons).toEqual({
      'a.exe': 'unsupported kind_unknown',
      'b.zip': 'unsupported archive',
      'c.svg': 'broken header_damaged',
      'd.nii': 'broken not_this_kind',
      'e.dcm': 'broken empty',
      'f.avi': 'unsupported video_unknown',
    })
  })

  it('is shown to its owner only, and its address ends with the file', async () => {
    const [me, stranger] = [await server.signUp(), await server.signUp()]
    const ids = await put(me, { 'brain.nii.gz': niftiVolume({ size: [2, 2, 2] }) })
    const id = ids.get('brain.nii.gz') ?? ''
    expect((await server.call('files/view', { id }, stranger)).data.error).toBe('missing')
    expect((await server.call('files/view', { id }, null)).data.error).toBe('not_signed_in')
    const { url } = await see(me, id)
    expect((await fetch(`${server.url}${url}0`)).status).toBe(403)
    await server.call('files/remove', { ids: [id] }, me)
    expect(await (await fetch(server.url + url)).json()).toMatchObject({ data: { error: 'missing' } })
  })

  it('with its data in a second file is read only out of the same folder', async () => {
    const me = await server.signUp()
    const header = (file: string): Buffer =>
      Buffer.from(
        `ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = ${file}\n`,
      )
    const ids = await put(me, {
      'good.mhd': header('good.raw'),
      'good.raw': Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]),
      'up.mhd': header('../good.raw'),
      'absolute.mhd': header('/etc/passwd'),
      'gone.mhd': header('gone.raw'),
    })
    const of = (name: string) => see(me, ids.get(name) ?? '')
    expect((await of('good.mhd')).facts?.range).toMatchObject({ min: 1, max: 8 })
    expect((await of('up.mhd')).reason?.name).toBe('data_file_outside')
    expect((await of('absolute.mhd')).reason?.name).toBe('data_file_outside')
    expect((await of('gone.mhd')).reason?.name).toBe('data_file_missing')
    // Uploaded later, it is found.
    await put(me, { 'gone.raw': Buffer.alloc(8, 7) })
    expect((await of('gone.mhd')).facts?.range).toMatchObject({ min: 7, max: 7 })
  })
})

describe('a DICOM series', () => {
  it('of the folder opens as one volume, sorted by place, with the gap named', async () => {
    const me = await server.signUp()
    // Numbered the wrong way round; the slice at 6 mm is missing.
    const places = [12, 9, 3, 0]
    const ids = await put(
      me,
      slices(4, (index) => ({ z: places[index] ?? 0, value: places[index] ?? 0 })),
      'scan',
    )
    const id = ids.get('2.dcm') ?? ''
    const one = await see(me, id)
    expect(one).toMatchObject({
      kind: 'volume',
      facts: { layout: 'slice' },
      series: { files: 4, isShown: false },
    })
    const all = await see(me, id, true)
    expect(all).toMatchObject({
      facts: { size: [4, 3, 4, 1], layout: 'volume', spacing: [0.5, 0.5, 3], orientation: 'LPS' },
      series: { isShown: true },
      notes: [{ name: 'slice_gaps', params: { count: 1, step: 3 } }],
    })
    const volume = gunzipSync(await fetchShown(all)).subarray(352)
    const firsts = [0, 1, 2, 3].map((slice) => volume.readInt16LE(slice * 12 * 2))
    expect(firsts).toEqual([0, 3, 9, 12])
    // Where the opened slice lies among them, at 9 mm.
    expect(all.series?.opened).toEqual({ slice: 2, frame: 0 })
    expect(one.series?.opened).toBeNull()
    expect(await see(me, id, 'fits')).toEqual({ ...all, url: expect.any(String) })
  })

  it('opens a picture of another size by itself, and the others as the series without it', async () => {
    const me = await server.signUp()
    const ids = await put(
      me,
      {
        'scout.dcm': drawDicom({ number: 9, size: [16, 16] }),
        'a.dcm': drawDicom({ number: 0, z: 6 }),
        'b.dcm': drawDicom({ number: 1, z: 3 }),
        'c.dcm': drawDicom({ number: 2, z: 0 }),
        'other.dcm': drawDicom({ series: '2.25.71' }),
      },
      'mixed',
    )
    const of = (name: string) => see(me, ids.get(name) ?? '', 'fits')
    expect(await of('a.dcm')).toMatchObject({
      facts: { size: [32, 32, 3, 1] },
      series: { files: 4, isShown: true, description: 'Drawn', opened: { slice: 2, frame: 0 } },
    })
    expect(await of('scout.dcm')).toMatchObject({
      facts: { size: [16, 16, 1, 1] },
      series: { files: 4, isShown: false },
    })
    expect(await of('other.dcm')).toMatchObject({ facts: { layout: 'slice' }, series: null })
  })

  it('names the patient to the owner, and not to whoever may only look', async () => {
    const [me, guest] = [await server.signUp({ vipLevel: 3 }), await server.signUp()]
    const ids = await put(me, { 'a.dcm': dicomSlice({ patient: 'Canary^Name' }) })
    const id = ids.get('a.dcm') ?? ''
    const name = (await see(me, id)).tags.find(({ keyword }) => keyword === 'PatientName')
    expect(name).toMatchObject({ value: 'Canary^Name', isPatient: true })
    const { code } = await server.call(
      'files/share',
      { id, account: guest.account, permission: 'view', withPatients: true },
      me,
    )
    expect(code).toBe(10200)
    const seen = await see(guest, id)
    expect(seen.tagsHidden).toBe(true)
    expect(JSON.stringify(seen)).not.toContain('Canary')
    expect(seen.tags.map(({ keyword }) => keyword)).toContain('Modality')
  })

  it('tells whoever may only look whether the file still names its patient, volumes of other kinds too', async () => {
    const [me, guest] = [await server.signUp({ vipLevel: 4 }), await server.signUp()]
    const volume = (line: string): Buffer =>
      Buffer.concat([
        Buffer.from(`ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\n${line}\nElementType = MET_UCHAR\n`),
        Buffer.from('ElementDataFile = LOCAL\n12345678'),
      ])
    const expected = {
      'named.dcm': 'named',
      'free.dcm': 'free',
      'named.mha': 'named',
      'free.mha': 'free',
      'picture.pgm': null,
    }
    const ids = await put(me, {
      'named.dcm': dicomSlice({ patient: 'Canary^Name' }),
      'free.dcm': dicomSlice({ patient: '' }),
      'named.mha': volume('0010|0010 = Canary^Name'),
      'free.mha': volume('Modality = MET_MOD_MR'),
      'picture.pgm': Buffer.from('P5 2 2 255\n1234'),
    })
    await checkNew(makeWorker(server), me.userId)
    const told: Record<string, unknown> = {}
    for (const [name, id] of ids) {
      const body = { id, account: guest.account, permission: 'view' as const, withPatients: true }
      expect((await server.call('files/share', body, me)).code).toBe(10200)
      const seen = await see(guest, id)
      expect(JSON.stringify(seen)).not.toContain('Canary')
      told[name] = seen.patient
    }
    expect(told).toEqual(expected)
  })
})

describe('what was made', () => {
  it('is used again, made anew when it is gone, and swept with its bytes', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'brain.nii.gz': niftiVolume({ size: [3, 3, 3], seed: 7 }) })
    const id = ids.get('brain.nii.gz') ?? ''
    const rows = async () =>
      (await server.ctx.pool.query('select key, created_at from views order by created_at')).rows
    await see(me, id)
    const first = await rows()
    await see(me, id)
    expect(await rows()).toEqual(first)
    await rm(`${server.ctx.config.dataDir}/views`, { recursive: true })
    expect(await fetchShown(await see(me, id))).not.toHaveLength(0)
    await server.ctx.pool.query('delete from files')
    await server.ctx.pool.query('delete from blobs')
    server.forward(24 * 3_600_000)
    await sweepViews(server.ctx)
    expect(await rows()).toEqual([])
    const left = (await readdir(`${server.ctx.config.dataDir}/views`, { recursive: true })).filter((name) =>
      name.endsWith('.gz'),
    )
    expect(left).toEqual([])
  })
})
