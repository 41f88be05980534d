/** DICOM becomes data to learn from by itself: the same bytes as a conversion by hand, and nothing lost on the way. */
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ConversionFormat } from '@neuroloom/contract/conversions'
import { asFound } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Drawn, drawDicom, drawReport } from '../../../../test/dicom.ts'
import { type DrawnSegmentation, drawSegmentation } from '../../../../test/dicom-segments.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { type TestFile, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { drawCell, drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { work } from '../../files/convert/work.ts'
import { deriveAll, type ToDerive } from '../../files/derive/derive.ts'
import { sweepDerived } from '../../files/derive/sweep.ts'
import { derivedImages } from '../../files/derive/tables.ts'
import { files } from '../../files/tables.ts'
import { look } from '../jobs.ts'
import { keepsFiles } from '../parts.ts'
import { datasetItems } from '../tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function made(task: Task, files: TestFile[], before?: Session) {
  const session = before ?? (await server.signUp({ vipSuper: 1 }))
  const folderId = (await upload(server, session, { files })) ?? ''
  const { data: project } = await server.call(
    'projects/create',
    { name: `p ${Math.random()}`, task },
    session,
  )
  const { data } = await server.call('datasets/recognise', { projectId: project.id, folderId }, session)
  return { session, folderId, ...(await looked(session, data.id)) }
}

async function looked(session: Session, id: string) {
  const worker = makeWorker(server)
  await look(worker, id)
  worker.engine.close()
  const { data: dataset } = await server.call('datasets/detail', { id }, session)
  const { problems } = (await server.call('datasets/problems', { id }, session)).data
  const items = await server.ctx.db
    .select()
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, id))
    .orderBy(datasetItems.position)
  return { dataset, problems, items }
}

async function idsIn(session: Session, folderId: string): Promise<Map<string, { id: string; kind: string }>> {
  const { data } = await server.call('files/list', { folderId }, session)
  return new Map(data.entries.map(({ name, id, kind }) => [name, { id, kind }]))
}

const bytesOf = (sha256: string): Promise<Buffer> => buffer(server.ctx.storage.read(sha256))

/** What a conversion by hand makes of one entry. */
async function byHand(
  session: Session,
  id: string,
  { format, window = null }: { format: ConversionFormat; window?: { center: number; width: number } | null },
): Promise<Buffer> {
  const body = { ids: [id], format, options: { window } }
  const { data } = await server.call('files/convert', body, session)
  await work(server.ctx, data.id)
  const found = (await server.call('files/conversions', {}, session)).data.conversions
  const result = found.find((one) => one.id === data.id)?.items[0]?.resultId ?? ''
  const { data: opened } = await server.call('files/open', { id: result }, session)
  return Buffer.from(await (await fetch(server.url + opened.url)).arrayBuffer())
}

const wave = (seed: number) => (x: number, y: number) =>
  Math.round(400 * Math.sin((x + seed) / 3) + 300 * Math.cos((y * (seed + 2)) / 7))
/** A picture of a patient whose name the file does not say. */
const picture = (seed: number, drawn: Drawn = {}): Buffer =>
  drawDicom({ at: wave(seed), study: `2.25.${100 + seed}`, series: `2.25.${200 + seed}`, ...drawn })

const slices = (count: number, drawn: Drawn = {}): Buffer[] =>
  Array.from({ length: count }, (_, number) =>
    drawDicom({ size: [12, 10], at: (x, y) => x * y + 17 * number, number, z: 2.5 * number, ...drawn }),
  )
const folderOf = (path: string, files: Buffer[]): TestFile[] =>
  files.map((bytes, index) => ({ path: `${path}/${index}.dcm`, bytes }))
/** A label of the drawn series: towards the left and the back, as DICOM lies. */
function label(size: [number, number, number], spacing: [number, number, number]): Buffer {
  const packed = niftiVolume({ size, spacing, at: (x, y, z) => Number(x > 3 && x < 8 && y > 2 && z < 3) })
  const bytes = gunzipSync(packed)
  bytes.writeFloatLE(-spacing[0], 280)
  bytes.writeFloatLE(-spacing[1], 300)
  return gzipSync(bytes)
}

describe('single pictures', () => {
  it('make class folders under any name, with patients, and leave aside what is no picture', async () => {
    const { session, folderId, dataset, problems, items } = await made('classification', [
      { path: 'set/cat/IM000001', bytes: picture(1, { patientId: 'A1' }) },
      { path: 'set/cat/b.dcm', bytes: picture(2, { patientId: 'A1' }) },
      { path: 'set/cat/1.2.840.77', bytes: picture(3, { patientId: 'A2' }) },
      { path: 'set/dog/a.ima', bytes: picture(4, { patientId: 'A3' }) },
      { path: 'set/dog/b.png', bytes: encodePng(drawCell('round', 5)) },
      { path: 'set/dog/film.dcm', bytes: picture(6, { frames: 3 }) },
      { path: 'set/dog/report.dcm', bytes: drawReport() },
      { path: 'set/dog/broken.dcm', bytes: picture(7).subarray(0, 900) },
      { path: 'set/dog/text.dcm', bytes: Buffer.from('no picture at all') },
      { path: 'set/README', bytes: Buffer.from('what these are') },
    ])
    expect(dataset).toMatchObject({
      ...{ state: 'ready', layout: 'class_folders', classes: ['cat', 'dog'] },
      facts: {
        items: 5,
        classCounts: [3, 2],
        patients: 3,
        dicom: { files: 8, made: 'pictures', grey: true, notes: [] },
      },
    })
    expect(items.map(({ name, patient }) => [name, patient])).toEqual([
      ['cat/1.2.840.77', expect.stringMatching(/^ANON-[0-9A-F]{20}$/)],
      ['cat/IM000001', items[2]?.patient],
      ['cat/b.dcm', items[1]?.patient],
      ['dog/a.ima', expect.stringMatching(/^ANON-/)],
      ['dog/b.png', null],
    ])
    expect(Object.fromEntries(problems.map(({ path, reason, params }) => [path, [reason, params]]))).toEqual({
      'dog/film.dcm': ['dicom_frames', { count: 3 }],
      'dog/report.dcm': ['dicom_no_picture', {}],
      'dog/broken.dcm': ['dicom_unreadable', {}],
      'dog/text.dcm': ['dicom_unreadable', {}],
    })
    const cats = await idsIn(session, (await idsIn(session, folderId)).get('cat')?.id ?? '')
    for (const { name, imageSha256 } of items.slice(0, 3)) {
      const hand = await byHand(session, cats.get(name.slice(4))?.id ?? '', { format: 'png' })
      expect(hand.equals(await bytesOf(imageSha256)), name).toBe(true)
    }
    // The files of which the pictures were made are kept, as those of other data sets.
    const { db } = server.ctx
    const rows = await db
      .select()
      .from(files)
      .where(eq(files.id, cats.get('b.dcm')?.id ?? ''))
    const kept = await keepsFiles(db, rows)
    expect([...kept.values()]).toEqual([['set']])
    const { data: shown } = await server.call('datasets/items', { id: dataset.id }, session)
    expect((await fetch(server.url + shown.items[0]?.image)).status).toBe(200)
  })

  it('pair with masks of the same names and with tables that name them', async () => {
    const fields = [1, 2, 3].map((seed) => drawField(seed, 32))
    const pairs = await made('segmentation', [
      ...fields.map((_, index) => ({ path: `set/images/f${index}.dcm`, bytes: picture(index) })),
      ...fields.map(({ mask }, index) => ({ path: `set/masks/f${index}.png`, bytes: encodePng(mask) })),
    ])
    expect(pairs.dataset).toMatchObject({ state: 'ready', layout: 'images_masks', facts: { items: 3 } })
    expect(pairs.items.map(({ name }) => name)).toEqual([0, 1, 2].map((index) => `images/f${index}.dcm`))
    const rows = ['image,label', 'f0.dcm,flat', 'f1.dcm,flat', 'f2,round', 'f3.dcm,round']
    const table = await made('classification', [
      ...[0, 1, 2, 3].map((index) => ({ path: `set/pictures/f${index}.dcm`, bytes: picture(index) })),
      { path: 'set/labels.csv', bytes: Buffer.from(rows.join('\n')) },
    ])
    expect(table.dataset).toMatchObject({
      state: 'ready',
      layout: 'csv_labels',
      facts: { classCounts: [2, 2] },
    })
    expect(table.problems).toEqual([])
  })

  it('that are masks keep their stored numbers, whatever a screen would show of them', async () => {
    const stripes = (x: number) => 300 * Math.floor(x / 8)
    const shown = { window: { center: 1, width: 2 }, photometric: 'MONOCHROME1', intercept: -1024 } as const
    const wrong = { d: drawDicom({ at: (x) => x - 5 }), e: picture(5, { frames: 2 }) }
    const { session, dataset, problems, items } = await made('segmentation', [
      ...['a', 'b', 'c', 'd', 'e'].map((name, seed) => ({
        path: `set/images/${name}.dcm`,
        bytes: picture(seed, { window: { center: 0, width: 500 } }),
      })),
      { path: 'set/masks/a.dcm', bytes: drawDicom({ at: stripes, ...shown, series: '2.25.41' }) },
      {
        path: 'set/masks/b.dcm',
        bytes: drawDicom({ at: (x) => Math.min(1, stripes(x)), series: '2.25.42' }),
      },
      { path: 'set/masks/c.png', bytes: encodePng({ width: 32, height: 32, pixels: new Uint8Array(1024) }) },
      ...Object.entries(wrong).map(([name, bytes]) => ({ path: `set/masks/${name}.dcm`, bytes })),
    ])
    const told = Object.fromEntries(problems.map(({ path, reason, params }) => [path, [reason, params]]))
    expect(told).toMatchObject({
      'masks/d.dcm': ['dicom_mask_values', { value: -5 }],
      'masks/e.dcm': ['dicom_frames', { count: 2 }],
    })
    expect(items.map(({ name }) => name)).toEqual(['a', 'b', 'c'].map((name) => `images/${name}.dcm`))
    expect(dataset.facts?.classCounts).toEqual([256 + 256 + 1024, 768, 256, 256, 256])
    const window = { center: 40, width: 400 }
    const { data: again } = await server.call(
      'datasets/readAs',
      { id: dataset.id, reading: { ...asFound, window } },
      session,
    )
    const other = await looked(session, again.id)
    const labels = (some: typeof items) => some.map(({ labelSha256 }) => labelSha256)
    expect(labels(other.items)).toEqual(labels(items))
    expect(other.items[0]?.imageSha256).not.toBe(items[0]?.imageSha256)
  })

  it('are drawn by the window of the file, by another on demand, turned where dark means bright', async () => {
    const window = { center: 40, width: 400 }
    const { session, folderId, dataset, items } = await made('classification', [
      { path: 'set/a/1.dcm', bytes: picture(1, { window: { center: 0, width: 900 } }) },
      { path: 'set/a/2.dcm', bytes: picture(2, { photometric: 'MONOCHROME1', slope: 2, intercept: -100 }) },
      { path: 'set/b/3.dcm', bytes: picture(3) },
      { path: 'set/b/4.dcm', bytes: picture(4) },
    ])
    const { data: sample } = await server.call('datasets/windowPreview', { id: dataset.id, window }, session)
    const { data: again } = await server.call(
      'datasets/readAs',
      { id: dataset.id, reading: { ...asFound, window } },
      session,
    )
    const other = await looked(session, again.id)
    expect(other.dataset).toMatchObject({ state: 'ready', reading: { window } })
    const classes = await idsIn(session, folderId)
    for (const [index, { name, imageSha256 }] of other.items.slice(0, 2).entries()) {
      const [folder = '', file = ''] = name.split('/')
      const id = (await idsIn(session, classes.get(folder)?.id ?? '')).get(file)?.id ?? ''
      const own = await bytesOf(items[index]?.imageSha256 ?? '')
      expect((await byHand(session, id, { format: 'png' })).equals(own), name).toBe(true)
      const asked = await byHand(session, id, { format: 'png', window })
      expect(asked.equals(await bytesOf(imageSha256)), name).toBe(true)
      expect(asked.equals(own), name).toBe(false)
    }
    const data = async (sha256 = '') => `data:image/png;base64,${(await bytesOf(sha256)).toString('base64')}`
    expect(sample).toEqual({
      name: 'a/2.dcm',
      before: await data(items[1]?.imageSha256),
      after: await data(other.items[1]?.imageSha256),
    })
    const stranger = await server.signUp()
    const refused = await server.call('datasets/windowPreview', { id: dataset.id, window }, stranger)
    expect(refused.data.error).toBe('dataset_missing')
  })
})

describe('a series', () => {
  it('becomes one volume with its spacing, as by hand, named by its folder', async () => {
    const { session, folderId, dataset, problems, items } = await made('volume_segmentation', [
      ...folderOf('set/images/one', slices(4)),
      ...folderOf('set/images/two', slices(4, { series: '2.25.71', intercept: -1000 })),
      { path: 'set/labels/one.nii.gz', bytes: label([12, 10, 4], [0.5, 0.5, 2.5]) },
      { path: 'set/labels/two.nii.gz', bytes: label([12, 10, 4], [0.5, 0.5, 2.5]) },
    ])
    expect(problems.map(({ reason }) => reason)).not.toContain('spacing_differs')
    expect(items.map(({ name, depth }) => [name, depth])).toEqual([
      ['images/one', 4],
      ['images/two', 4],
    ])
    expect(dataset.facts).toMatchObject({ spacing: [2.5, 0.5, 0.5], dicom: { files: 8, made: 'volumes' } })
    const images = await idsIn(session, (await idsIn(session, folderId)).get('images')?.id ?? '')
    for (const [index, name] of ['one', 'two'].entries()) {
      const own = await bytesOf(items[index]?.imageSha256 ?? '')
      const hand = await byHand(session, images.get(name)?.id ?? '', { format: 'nifti' })
      expect(hand.equals(own)).toBe(true)
      // No text that could name somebody: `descrip`, `intent_name`, `db_name`.
      const header = gunzipSync(own)
      expect(header.subarray(14, 32).some(Boolean) || header.subarray(148, 252).some(Boolean)).toBe(false)
    }
  })

  it('may be the label too', async () => {
    const mark = { intercept: 0, at: (x: number, y: number) => Number(x > 3 && x < 8 && y > 2) }
    const { dataset, items } = await made('volume_segmentation', [
      ...['a', 'b'].flatMap((name, index) => [
        ...folderOf(`set/${name}/image`, slices(4, { series: `2.25.9${index}`, intercept: index })),
        ...folderOf(`set/${name}/label`, slices(4, { series: `2.25.9${index + 5}`, ...mark })),
      ]),
    ])
    expect(dataset).toMatchObject({ state: 'ready', layout: 'volume_pairs' })
    expect(items.map(({ name, depth }) => [name, depth])).toEqual([
      ['a/image', 4],
      ['b/image', 4],
    ])
  })

  it('with something wrong is left aside with its reason, and all others are used', async () => {
    const wrong: [string, Buffer[], string, Record<string, unknown>][] = [
      ['gap', slices(5).filter((_, index) => index !== 2), 'dicom_slice_missing', { count: 1 }],
      [
        'uneven',
        [0, 2, 4, 6.5, 8.5].map((z, number) => drawDicom({ size: [12, 10], number, z })),
        'dicom_two_spacings',
        { spacing: '2', otherSpacing: '2.5' },
      ],
      [
        'spacings',
        [...slices(2), ...slices(4, { spacing: [0.7, 0.7] }).slice(2)],
        'dicom_two_spacings',
        { spacing: '0.5 × 0.5', otherSpacing: '0.7 × 0.7' },
      ],
      [
        'patients',
        [...slices(2, { patientId: 'A7' }), ...slices(4, { patientId: 'B8' }).slice(2)],
        'dicom_two_patients',
        { count: 2 },
      ],
      ['sizes', [...slices(3), ...slices(4, { size: [8, 8] }).slice(3)], 'dicom_sizes', { count: 1 }],
      ['colour', slices(3, { isColour: true }), 'dicom_colour', {}],
      ['unplaced', slices(3, { isPlaced: false }), 'dicom_unplaced', {}],
    ]
    const { dataset, problems, items } = await made('volume_segmentation', [
      ...folderOf('set/images/good', slices(4, { series: '2.25.80' })),
      ...folderOf('set/images/fine', slices(4, { series: '2.25.81', intercept: 5 })),
      ...wrong.flatMap(([name, files]) => folderOf(`set/images/${name}`, files)),
      ...['good', 'fine', ...wrong.map(([name]) => name)].map((name) => ({
        path: `set/labels/${name}.nii.gz`,
        bytes: label([12, 10, 4], [0.5, 0.5, 2.5]),
      })),
    ])
    expect(dataset.state).toBe('ready')
    expect(items.map(({ name }) => name)).toEqual(['images/fine', 'images/good'])
    const told = problems.filter(({ reason }) => reason.startsWith('dicom_'))
    expect(Object.fromEntries(told.map(({ path, reason, params }) => [path, [reason, params]]))).toEqual(
      Object.fromEntries(wrong.map(([name, , reason, params]) => [`images/${name}`, [reason, params]])),
    )
  })
})

describe('segmentations', () => {
  const square = (x0: number, side: number) => (x: number, y: number) =>
    Number(x >= x0 && x < x0 + side && y >= 2 && y < 2 + side)
  const caseOf = (name: string, number: number) =>
    folderOf(`set/${name}/ct`, slices(4, { series: `2.25.6${number}` }))
  const seg = (drawn: Partial<DrawnSegmentation>) =>
    drawSegmentation({ size: [12, 10], names: ['liver'], frames: [], ...drawn })

  it('are the masks of the series that they name, and their names are the classes', async () => {
    const { dataset, problems, items, session, folderId } = await made('volume_segmentation', [
      ...caseOf('a', 1),
      ...caseOf('b', 2),
      ...caseOf('c', 3),
      {
        path: 'set/others/one.dcm',
        bytes: seg({
          ...{ of: '2.25.62', names: ['tumour', 'liver'] },
          frames: [
            { segment: 1, z: 7.5, at: square(1, 2) },
            { segment: 2, z: 2.5, at: square(4, 3) },
          ],
        }),
      },
      {
        path: 'set/others/two.dcm',
        bytes: seg({ of: '2.25.61', frames: [{ segment: 1, z: 5, at: square(5, 4) }] }),
      },
    ])
    expect(dataset).toMatchObject({
      ...{ state: 'ready', layout: 'volume_pairs', classes: ['background', 'liver', 'tumour'] },
      facts: { items: 2, classCounts: [960 - 9 - 16 - 4, 16 + 9, 4] },
    })
    expect(items.map(({ name }) => name).sort()).toEqual(['a/ct', 'b/ct'])
    expect(problems.map(({ path, reason }) => [path, reason])).toEqual([['c/ct', 'image_without_mask']])
    const mask = items.find(({ name }) => name === 'a/ct')?.labelSha256
    const voxels = gunzipSync(await bytesOf(mask ?? '')).subarray(352)
    // The third of four slices.
    expect(voxels.subarray(240, 360).reduce((sum, value) => sum + value, 0)).toBe(16)
    // What a mask was made of is kept as long as the data set.
    const others = await idsIn(session, (await idsIn(session, folderId)).get('others')?.id ?? '')
    const rows = await server.ctx.db
      .select()
      .from(files)
      .where(eq(files.id, others.get('two.dcm')?.id ?? ''))
    expect((await keepsFiles(server.ctx.db, rows)).size).toBe(1)
  })

  it('that fit nothing, or of which several say the same, are named and not used', async () => {
    const frames = [{ segment: 1, z: 5, at: square(5, 4) }]
    const { dataset, problems, items } = await made('volume_segmentation', [
      ...caseOf('a', 4),
      ...caseOf('b', 5),
      ...caseOf('c', 6),
      { path: 'set/seg/a.dcm', bytes: seg({ of: '2.25.64', frames }) },
      { path: 'set/seg/b1.dcm', bytes: seg({ of: '2.25.65', frames }) },
      { path: 'set/seg/b2.dcm', bytes: seg({ of: '2.25.65', frames, uid: '2.25.901' }) },
      {
        path: 'set/seg/c.dcm',
        bytes: seg({ of: '2.25.66', frames: [{ segment: 1, z: 6, at: square(5, 4) }] }),
      },
      { path: 'set/seg/gone.dcm', bytes: seg({ of: '2.25.99', frames: [...frames, ...frames] }) },
    ])
    expect(dataset.classes).toEqual(['background', 'liver'])
    expect(items.map(({ name }) => name)).toEqual(['a/ct'])
    expect(Object.fromEntries(problems.map(({ path, reason, params }) => [path, [reason, params]]))).toEqual({
      'b/ct': ['image_without_mask', {}],
      'c/ct': ['image_without_mask', {}],
      'seg/b1.dcm': ['dicom_segments_twice', { class: 'liver' }],
      'seg/b2.dcm': ['dicom_segments_twice', { class: 'liver' }],
      'seg/c.dcm': ['dicom_segments_elsewhere', { count: 1, frames: 1 }],
      'seg/gone.dcm': ['dicom_overlay', { slices: 2 }],
    })
  })
})

describe('what was made', () => {
  const toDerive = async (session: Session, seeds: number[]): Promise<ToDerive[]> => {
    const files = seeds.map((seed) => ({ path: `f/${seed}.dcm`, bytes: picture(seed) }))
    const folderId = (await upload(server, session, { files })) ?? ''
    const { rows } = await server.ctx.pool.query<{ name: string; sha256: string; bytes: string }>(
      'select name, sha256, size_bytes as bytes from files where parent_id = $1 order by name',
      [folderId],
    )
    return rows.map(({ name, sha256, bytes }) => ({
      kind: 'picture',
      window: null,
      files: [{ name, sha256, sizeBytes: Number(bytes) }],
    }))
  }
  const rowsNow = () => server.ctx.db.$count(derivedImages)

  it('is kept as it comes: who is stopped goes on, and a second look makes nothing anew', async () => {
    const session = await server.signUp()
    const before = await rowsNow()
    const seeds = Array.from({ length: 45 }, (_, index) => 1000 + index)
    const wanted = await toDerive(session, seeds)
    const stop = async (done: number): Promise<void> => {
      if (done > 0) throw new Error('killed')
    }
    await expect(deriveAll(server.ctx, wanted, { onProgress: stop })).rejects.toThrow('killed')
    expect((await rowsNow()) - before).toBe(40)
    const steps: number[] = []
    const made = await deriveAll(server.ctx, wanted, { onProgress: async (done) => void steps.push(done) })
    expect(steps).toEqual([40, 45])
    expect(made.every((one) => 'sha256' in one)).toBe(true)
    const again: number[] = []
    expect(
      await deriveAll(server.ctx, wanted, { onProgress: async (done) => void again.push(done) }),
    ).toEqual(made)
    expect(again).toEqual([45])
  })

  it('goes when nothing uses it, and stays as long as a data set does', async () => {
    const { items } = await made('classification', [
      { path: 'set/a/1.dcm', bytes: picture(501) },
      { path: 'set/b/2.dcm', bytes: picture(502) },
    ])
    const session = await server.signUp()
    const loose = await deriveAll(server.ctx, await toDerive(session, [777]))
    const shaOf = (one: (typeof loose)[number]) => ('sha256' in one ? one.sha256 : '')
    const known = async () =>
      (await server.ctx.db.select().from(derivedImages)).flatMap(({ sha256 }) => sha256 ?? [])
    expect(await known()).toEqual(expect.arrayContaining(loose.map(shaOf)))
    await sweepDerived(server.ctx)
    expect(await known()).toEqual(expect.arrayContaining(loose.map(shaOf)))
    await sweepDerived({ ...server.ctx, now: () => new Date(Date.now() + 48 * 3_600_000) })
    const left = await known()
    expect(loose.map(shaOf).filter((sha256) => left.includes(sha256))).toEqual([])
    expect(left).toEqual(expect.arrayContaining(items.map(({ imageSha256 }) => imageSha256)))
  })
})
