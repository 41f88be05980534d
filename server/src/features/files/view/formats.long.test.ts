/**
 * Every kind among the shared samples over HTTP: what opens, what is not supported yet, what is broken. Some of each: a
 * process reads each, and all that readers find in all of them is compared in `infra/reader/formats.test.ts`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { View } from '@neuroloom/contract/viewing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { upload } from '../../../../test/uploads.ts'
import { prepareView } from './view.ts'

const formats = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data'),
  'formats',
)
const isThere = existsSync(formats)

/** One of each format, one whose claims are too large, and all whose kind decides. */
const broken = [
  'dicom_image-without-pixel-data.dcm',
  'dicom_truncated-pixels.dcm',
  'empty.png',
  'gzip_not-nifti.nii.gz',
  'jpeg-named.png',
  'mhd_missing-raw.mhd',
  'minc_bad-dimension.mnc',
  'nifti_truncated.nii.gz',
  'nifti_zero-dim.nii',
  'nrrd_wrong-sizes.nrrd',
  'parrec_truncated.PAR',
  'png_bad-crc.png',
  'tiff_page-loop.tiff',
  'zip_truncated.zip',
]
const dicom = [
  '1.2.840.10008.1.2.4.90_jpeg2000-lossless_mr.dcm',
  '1.2.840.10008.1.2.1_explicit-le_ct.dcm',
  'gzipped_siemens-mosaic.dcm.gz',
  'multiframe_30_us_jpeg-baseline_ybr.dcm',
  'no-file-meta_no-preamble.dcm',
  'no-pixels_rtplan.dcm',
  'siemens-csa-header.dcm',
]
const volumes = {
  nifti: ['4d_example.nii.gz', 'label_hippo.nii.gz'],
  nrrd: ['BallBinary30x30x30.nhdr', 'BallBinary30x30x30.raw', 'test2d_ascii.nrrd'],
  metaimage: ['HeadMRVolume.mhd', 'HeadMRVolume.raw', 'niivue.mha'],
  'same-volume': ['hippo_z.mhd', 'hippo_z.zraw'],
}

let server: TestServer
let me: Session
beforeAll(async () => {
  server = await makeServer()
  me = await server.signUp({ vipLevel: 4 })
})
afterAll(() => server.close())

/** Uploads samples of a folder, all unless some are named; ids by name. */
async function put(folder: string, some?: readonly string[]): Promise<Map<string, string>> {
  const all = readdirSync(join(formats, folder), { withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [one.name] : [],
  )
  const names = some ?? all
  // Some samples are empty or call themselves what nobody may upload as a picture: all of it is stored.
  const files = names.map((name) => ({
    path: `${folder}/${name}`,
    bytes: readFileSync(join(formats, folder, name)),
  }))
  const folderId = await upload(server, me, { files })
  const ids = new Map<string, string>()
  let after: string | null = null
  do {
    const { data }: { data: { entries: { name: string; id: string }[]; next: string | null } } =
      await server.call('files/list', { folderId, after }, me)
    for (const { name, id } of data.entries) ids.set(name, id)
    after = data.next
  } while (after !== null)
  return ids
}

async function see(id: string, series = false): Promise<View> {
  const ask = () => server.call('files/view', { id, series }, me)
  const { data, code, message } = await ask()
  if (code !== 10200) throw new Error(message)
  if (data.state === 'ready') return data
  // A slow machine leaves it to the job.
  await prepareView(server.ctx, { userId: me.userId, fileId: id, series })
  const { data: later } = await ask()
  expect(later.state).toBe('ready')
  return later
}

/** Two at a time, as the server reads them. */
async function seeAll(ids: Map<string, string>): Promise<Map<string, View>> {
  const views = new Map<string, View>()
  const waiting = ids.entries()
  const work = async (): Promise<void> => {
    for (const [name, id] of waiting) views.set(name, await see(id))
  }
  await Promise.all([work(), work()])
  return views
}

const kindsOf = (views: Map<string, View>): Record<string, string> =>
  Object.fromEntries([...views].map(([name, { kind }]) => [name, kind]))

/** Bytes of the volume or picture that the page gets. */
async function shown({ url }: View): Promise<Buffer> {
  const response = await fetch(server.url + url)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

describe.runIf(isThere)('over HTTP', () => {
  it('broken samples are refused with a reason, and nothing is handed over', async () => {
    const views = await seeAll(await put('broken', broken))
    for (const [name, { kind, reason, url }] of views) {
      expect([name, ['broken', 'unsupported'].includes(kind), url]).toEqual([name, true, null])
      expect(reason?.name).toBeTypeOf('string')
    }
    // Kinds that are not read at all do not get as far as being called broken.
    const unsupported = [...views].flatMap(([name, { kind }]) => (kind === 'unsupported' ? [name] : []))
    expect(unsupported.sort()).toEqual(
      ['dicom_image-without-pixel-data.dcm', 'minc_bad-dimension.mnc', 'zip_truncated.zip'].sort(),
    )
  }, 300_000)

  it('DICOM opens, plain, packed and of many frames; files without an image say so', async () => {
    const views = await seeAll(await put('dicom', dicom))
    const without = [...views].flatMap(([name, { kind, reason }]) =>
      kind === 'volume' ? [] : [`${name} ${reason?.name}`],
    )
    expect(without.sort()).toEqual([
      'no-pixels_rtplan.dcm dicom_plan',
      'siemens-csa-header.dcm dicom_no_image',
    ])
    for (const [, view] of [...views].filter(([, { kind }]) => kind === 'volume')) {
      expect(gunzipSync(await shown(view)).readInt32LE(0)).toBe(348)
    }
  }, 400_000)

  it('volumes and stacks open, with data files beside them', async () => {
    for (const [folder, names] of Object.entries(volumes)) {
      const ids = await put(folder, names)
      for (const name of ids.keys()) if (/\.z?raw$/.test(name)) ids.delete(name)
      expect(new Set(Object.values(kindsOf(await seeAll(ids))))).toEqual(new Set(['volume']))
    }
  }, 400_000)

  it('TIFF opens as a picture or, with many pages or deep greys, as a volume', async () => {
    const kinds = {
      '16bit.cropped.tif': 'volume',
      'bigtiff_stack.btf': 'volume',
      'hopper_g4.tif': 'picture',
      'multipage.tiff': 'volume',
      'tiff_16bit_RGB.tiff': 'picture',
      'tiff_strip_cmyk_jpeg.tif': 'picture',
    }
    expect(kindsOf(await seeAll(await put('tiff', Object.keys(kinds))))).toEqual(kinds)
  }, 300_000)

  it('pairs of files and packed volumes open, from either file; other kinds are not supported yet', async () => {
    for (const folder of ['analyze', 'other']) {
      for (const [name, { kind, reason }] of await seeAll(await put(folder))) {
        const isRead = /\.(hdr|img|mgz|PAR|REC)$/.test(name)
        expect([name, kind, reason?.name]).toEqual([
          name,
          ...(isRead ? ['volume', undefined] : ['unsupported', 'kind_not_yet']),
        ])
      }
    }
  })

  it('one slice of a folder opens the whole series', async () => {
    const ids = await put('dicom-series-hippocampus')
    const id = ids.get('17.dcm') ?? ''
    expect((await see(id)).series).toMatchObject({ files: 40, isShown: false })
    const view = await see(id, true)
    expect(view).toMatchObject({ series: { isShown: true }, facts: { layout: 'volume' } })
    expect(view.facts?.size[2]).toBe(40)
    expect(gunzipSync(await shown(view)).readInt16LE(46)).toBe(40)
  })
})

describe.skipIf(isThere)('without the shared samples', () => {
  it('only what tests make themselves is opened: see view.test.ts', () => {
    expect(existsSync(formats)).toBe(false)
  })
})
