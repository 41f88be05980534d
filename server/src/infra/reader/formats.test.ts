/** Every shared sample against what reference readers found in it (expected.json). */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDicom } from './dicom/file.ts'
import { hasPixels, readStored } from './dicom/pixels.ts'
import { tagsOf } from './dicom/tags.ts'
import { factsOf } from './facts.ts'
import { Refusal } from './model.ts'
import { readUnpacked } from './picture/packed.ts'
import { type Opened, readImage } from './read.ts'
import { detachedName } from './volume/detached.ts'
import { partnerName } from './volume/pairs.ts'

const formats = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../shared/data'),
  'formats',
)
const isThere = existsSync(formats)
const out = mkdtempSync(join(tmpdir(), 'neuroloom-formats-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))
const limitBytes = 1024 ** 3

type Found = {
  shape?: number[]
  dtype?: string
  min?: number
  max?: number
  mean?: number
  sha256_first_64k?: string
  values?: number
}
type Expected = Found & {
  decoded?: Found
  zooms?: number[]
  orientation?: string
  size?: number[]
  mode?: string
  patient_name?: string
  header?: Record<string, string>
  transfer_syntax?: string
  modality?: string
  photometric?: string
}

// Written beside the samples by the readers that it names.
const expected = isThere
  ? (JSON.parse(readFileSync(join(formats, 'expected.json'), 'utf8')) as Record<string, Expected>)
  : {}
const names = Object.keys(expected)
const below = (...folders: string[]): string[] =>
  names.filter((name) => folders.includes(name.split('/')[0] ?? ''))

function open(name: string): Promise<Opened> {
  const path = join(formats, name)
  const data = partnerName(basename(name)) ?? detachedName(readFileSync(path))
  const beside = data === null ? '' : join(dirname(path), data)
  const siblings = new Map(data !== null && existsSync(beside) ? [[data, beside]] : [])
  return readImage({ files: [{ path, name: basename(name) }], siblings, limitBytes, folder: out })
}

async function reasonOf(name: string): Promise<string> {
  try {
    await open(name)
    return 'opens'
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}

const close = (found: number | undefined, wanted: number | undefined, tolerance = 1e-5): void => {
  expect(Math.abs((found ?? Number.NaN) - (wanted ?? Number.NaN))).toBeLessThanOrEqual(
    tolerance * Math.max(1, Math.abs(wanted ?? 0)),
  )
}

/** Whole files of kinds that are read and yet hold no image. */
const withoutImage: Record<string, string> = {
  'dicom/no-pixels_rtplan.dcm': 'dicom_plan',
  'dicom/no-pixels_rtstruct.dcm': 'dicom_structures',
  'dicom/no-pixels_structured-report.dcm': 'dicom_report',
  'dicom/siemens-csa-header.dcm': 'dicom_no_image',
  'dicom-charsets/chrJapMulti.dcm': 'dicom_no_image',
  'dicom-charsets/chrJapMultiExplicitIR6.dcm': 'dicom_no_image',
  'dicom-charsets/chrKoreanMulti.dcm': 'dicom_no_image',
  'dicom-charsets/chrSQEncoding.dcm': 'dicom_no_image',
  'dicom-charsets/chrSQEncoding1.dcm': 'dicom_no_image',
  'dicom-dicomdir/DICOMDIR': 'dicom_directory',
}
const isDataAlone = (name: string): boolean => /\.(raw|zraw)$/.test(name)

describe.runIf(isThere)('the shared samples', () => {
  it('of the named kinds all open, but for those without an image, which say so', async () => {
    const whole = below(
      'dicom',
      'dicom-charsets',
      'dicom-dicomdir',
      'dicom-series-hippocampus',
      'nifti',
      'nrrd',
      'metaimage',
      'tiff',
      'raster',
      'same-volume',
    )
    const refused: Record<string, string> = {}
    for (const name of whole.filter((one) => !isDataAlone(one))) {
      const reason = await reasonOf(name)
      if (reason !== 'opens') refused[name] = reason
    }
    expect(whole.length).toBeGreaterThan(150)
    expect(refused).toEqual(withoutImage)
  })

  it('of other kinds are not supported yet, by name', async () => {
    for (const name of below('other').filter((one) => !/\.(mgz|PAR|REC)$/.test(one)))
      expect([name, await reasonOf(name)]).toEqual([name, 'kind_not_yet'])
  })

  it.each([
    ['analyze/ras.hdr', 'RAS'],
    ['analyze/ras.img', 'RAS'],
    ['other/freesurfer_wm.mgz', 'LIA'],
    ['other/philips_phantom.PAR', null],
    ['other/philips_phantom.REC', null],
  ])(
    'of volumes in further formats have the shape, steps and values that nibabel finds: %s',
    async (name, orientation) => {
      const facts = factsOf((await open(name)).scan)
      const { shape = [], zooms = [], min, max, mean } = expected[name.replace('.REC', '.PAR')] ?? {}
      expect(facts.size.slice(0, shape.length)).toEqual(shape.map(Number))
      for (const [axis, step] of zooms.slice(0, 3).entries()) close(facts.spacing?.[axis], step)
      expect(facts.orientation).toBe(orientation)
      close(facts.range?.min, min)
      close(facts.range?.max, max)
      close(facts.range?.mean, mean)
    },
  )

  it('that are broken are refused, each with a reason', async () => {
    const broken = readdirSync(join(formats, 'broken')).map((name) => `broken/${name}`)
    const opened: string[] = []
    for (const name of broken) if ((await reasonOf(name)) === 'opens') opened.push(name)
    expect(broken.length).toBeGreaterThan(30)
    expect(opened).toEqual([])
  })

  it('of NIfTI have the shape, steps, directions and values that nibabel finds', async () => {
    const files = names.filter((name) => /\.nii(\.gz)?$/.test(name) && !name.startsWith('broken'))
    expect(files.length).toBeGreaterThan(5)
    for (const name of files) {
      const facts = factsOf((await open(name)).scan)
      const { shape = [], zooms = [], orientation, min, max, mean } = expected[name] ?? {}
      expect(facts.size.slice(0, shape.length)).toEqual(shape)
      for (const [axis, step] of zooms.entries())
        close([...(facts.spacing ?? []), facts.frameSeconds ?? 0][axis], step)
      // A file that does not say how it lies is taken to lie as its maker's scanner by nibabel; we say that we do not know.
      if (name !== 'nifti/minimal.nii.gz') expect([name, facts.orientation]).toEqual([name, orientation])
      close(facts.range?.min, min)
      close(facts.range?.max, max)
      close(facts.range?.mean, mean)
    }
  })

  it('of DICOM have, number by number, the pixels that pydicom, GDCM and OpenJPEG decode', async () => {
    let compared = 0
    for (const name of names) {
      const decoded = expected[name]?.decoded
      if (!decoded || name.startsWith('broken')) continue
      const file = openDicom(readUnpacked(join(formats, name), limitBytes), { limitBytes })
      if (!hasPixels(file)) continue
      const { samples, frames, shape } = await readStored(file, { limitBytes, folder: out })
      if (decoded.shape) {
        const sides = [
          ...(frames > 1 ? [frames] : []),
          shape.rows,
          shape.columns,
          ...(shape.channels > 1 ? [3] : []),
        ]
        expect([name, sides]).toEqual([name, decoded.shape])
      }
      let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
      for (const value of samples) {
        min = Math.min(min, value)
        max = Math.max(max, value)
        sum += value
      }
      close(min, decoded.min)
      close(max, decoded.max)
      close(sum / samples.length, decoded.mean)
      // Lossy, decoded by another program; and big-endian bytes, of which the sum was taken as they lie.
      if (decoded.sha256_first_64k && decoded.dtype !== '>i2') {
        const start = Buffer.from(samples.buffer, samples.byteOffset, Math.min(samples.byteLength, 65_536))
        expect([name, createHash('sha256').update(start).digest('hex')]).toEqual([
          name,
          decoded.sha256_first_64k,
        ])
      }
      compared += 1
    }
    expect(compared).toBeGreaterThan(80)
  })

  it('of DICOM name patients in every character set', () => {
    for (const name of below('dicom-charsets')) {
      const wanted = expected[name]?.patient_name
      if (wanted === undefined) continue
      const file = openDicom(readUnpacked(join(formats, name), limitBytes), { limitBytes })
      const shown = tagsOf(file).find(({ keyword }) => keyword === 'PatientName')
      expect([name, shown?.value ?? '']).toEqual([name, wanted.replace(/[=^]+$/, '')])
    }
  })

  it('of TIFF have the pages and values that tifffile finds', async () => {
    // Colour numbers of a palette, and cyan to black: shown as the colours that they mean.
    const inOtherColours = ['tiff/multipage.tiff', 'tiff/tiff_strip_cmyk_jpeg.tif']
    for (const name of names.filter((one) => /\.(tiff?|btf)$/.test(one) && !one.startsWith('broken'))) {
      const { size, channels, range } = factsOf((await open(name)).scan)
      const { shape = [], min, max, mean } = expected[name] ?? {}
      const isColour = channels === 3 && !inOtherColours.includes(name)
      const sides = [...(size[2] > 1 ? [size[2]] : []), size[1], size[0], ...(isColour ? [3] : [])]
      expect([name, sides]).toEqual([name, inOtherColours.includes(name) ? sides : shape])
      if (inOtherColours.includes(name)) continue
      close(range?.min, min)
      close(range?.max, max)
      close(range?.mean, mean)
    }
  })

  it('of NRRD and MetaImage have the sizes and steps of their headers', async () => {
    for (const name of names.filter(
      (one) => /\.(nrrd|nhdr|mha|mhd)$/.test(one) && !one.startsWith('broken'),
    )) {
      const { size, spacing } = factsOf((await open(name)).scan)
      const header = expected[name]?.header ?? {}
      const sides = (header.sizes ?? header.DimSize ?? '').split(' ').map(Number)
      expect([name, size.slice(0, sides.length)]).toEqual([name, sides])
      const steps = header.ElementSpacing?.split(' ').map(Number) ?? []
      for (const [axis, step] of steps.entries()) close(spacing?.[axis], step)
    }
  })

  it('of one volume in nine containers hold the same numbers', async () => {
    const sums = new Map<string, string>()
    for (const name of below('same-volume').filter((one) => !isDataAlone(one))) {
      const { scan } = await open(name)
      expect([name, scan.size]).toEqual([name, [35, 52, 34, 1]])
      sums.set(name, createHash('sha256').update(Float64Array.from(scan.samples)).digest('hex'))
    }
    expect(sums.size).toBe(9)
    expect(new Set(sums.values()).size).toBe(1)
  })

  it('of pictures have the sizes that Pillow finds, turned as their camera says', async () => {
    for (const name of below('raster')) {
      const { size: sides } = expected[name] ?? {}
      if (!sides || withoutImage[name]) continue
      const { size } = factsOf((await open(name)).scan)
      expect([name, size.slice(0, 2)]).toEqual([name, sides])
    }
  })

  it('of a series make one volume, sorted by place', async () => {
    const files = below('dicom-series-hippocampus').map((name) => ({
      path: join(formats, name),
      name: basename(name),
    }))
    const { scan } = await readImage({ files: files.reverse(), siblings: new Map(), limitBytes, folder: out })
    const facts = factsOf(scan)
    expect(facts).toMatchObject({ layout: 'volume', channels: 1 })
    expect(facts.size[2]).toBe(files.length)
    const means = below('dicom-series-hippocampus').map((name) => expected[name]?.decoded?.mean ?? 0)
    close(facts.range?.mean, means.reduce((sum, mean) => sum + mean, 0) / means.length)
  })
})

describe.skipIf(isThere)('without the shared samples', () => {
  it('only what tests make themselves is read: see view.test.ts and convert.test.ts', () => {
    expect(names).toEqual([])
  })
})
