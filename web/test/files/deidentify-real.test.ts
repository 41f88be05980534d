import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deidentificationRecordSchema } from '@neuroloom/contract/deidentification'
import { describe, expect, it } from 'vitest'
import { deidentify } from '../../src/features/files/deidentify/deidentify.ts'
import { isDicom } from '../../src/features/files/deidentify/dicom-head.ts'
import { memorySource, partsSource } from '../../src/features/files/deidentify/source.ts'
import { identifiersFor } from '../../src/features/files/deidentify/uids.ts'
import * as dicom from './deidentify-make.ts'

const formats = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../shared/data'),
  'formats',
)
const identifiers = identifiersFor(new Uint8Array(32).fill(7))

/** Not whole objects: the index of a disc, a packed file, and one that begins with a stray byte. */
const apart = ['DICOMDIR', 'gzipped_siemens-mosaic.dcm.gz', 'no-file-meta_no-preamble.dcm']
const words =
  /(?<![a-z])(moriarty|lestrade|compressedsamples|dumbledore|yamada|buc.j|doe\^|fukuda|katherine|lastname)/i

describe.skipIf(!existsSync(formats))('files of many makers', () => {
  const files = ['dicom', 'dicom-charsets', 'dicom-dicomdir', 'dicom-series-hippocampus'].flatMap(filesIn)

  it.each(files.filter((path) => !apart.some((name) => path.endsWith(name))))('%s', async (path) => {
    const old = new Uint8Array(readFileSync(join(formats, path)))
    expect(isDicom(old.subarray(0, 4096))).toBe(true)
    const source = memorySource(old)
    const { parts, record } = await deidentify(source, identifiers)
    const output = partsSource(source, parts)
    const fresh = output.read(0, output.length)

    expect(deidentificationRecordSchema.parse(record)).toEqual(record)
    expect(words.exec(dicom.binary(fresh))).toBeNull()
    if (path.includes('99_deflated')) return
    const [before, after] = [dicom.readFile(old).data, dicom.readFile(fresh).data]
    expect(sumOf(valueAt(after, 0x7fe00010))).toBe(sumOf(valueAt(before, 0x7fe00010)))
    expect(after.filter(({ tag }) => (tag >>> 16) % 2 === 1)).toEqual([])
    const kept = [
      0x00080005, 0x00080016, 0x00080060, 0x00280010, 0x00280011, 0x00280030, 0x00281053, 0x00200032,
    ]
    for (const tag of kept) expect(valueAt(after, tag)).toEqual(valueAt(before, tag))
    expect((await deidentify(memorySource(fresh), identifiers)).record.sha256).toBe(record.sha256)
  })

  it.each(['dicom/1.2.840.10008.1.2_implicit-le_mr.dcm', 'dicom/1.2.840.10008.1.2.1_explicit-le_ct.dcm'])(
    'the pixels of %s are those that other programs read',
    async (path) => {
      const source = memorySource(new Uint8Array(readFileSync(join(formats, path))))
      const { parts } = await deidentify(source, identifiers)
      const output = partsSource(source, parts)
      const fresh = output.read(0, output.length)
      const pixels = dicom.readFile(fresh).data.find(({ tag }) => tag === 0x7fe00010)
      expect(sumOf(pixels?.bytes.subarray(0, 65_536))).toBe(expectedSum(path))
    },
  )

  it.each(filesIn('broken').filter((path) => path.endsWith('.dcm')))(
    '%s is treated or refused with a reason',
    async (path) => {
      const source = memorySource(new Uint8Array(readFileSync(join(formats, path))))
      const outcome = await deidentify(source, identifiers).catch((error: { reason?: string }) => error)
      expect('record' in outcome ? 'treated' : outcome.reason).toMatch(/^(treated|broken|truncated)$/)
    },
  )

  it('a series keeps together, slice by slice in its order', async () => {
    const records = await Promise.all(
      filesIn('dicom-series-hippocampus').map(async (path) => {
        const source = memorySource(new Uint8Array(readFileSync(join(formats, path))))
        return (await deidentify(source, identifiers)).record.identifiers
      }),
    )
    expect(new Set(records.map(({ series }) => series)).size).toBe(1)
    expect(new Set(records.map(({ study }) => study)).size).toBe(1)
    expect(new Set(records.map(({ instance }) => instance)).size).toBe(records.length)
  })
})

function filesIn(folder: string): string[] {
  const root = join(formats, folder)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(join(formats, path)).isFile())
}

const sumOf = (bytes: Uint8Array = new Uint8Array()) => createHash('sha256').update(bytes).digest('hex')

const valueAt = (elements: dicom.Read[], wanted: number) => elements.find(({ tag }) => tag === wanted)?.bytes

function expectedSum(path: string): string {
  const expected: Record<string, { decoded: { sha256_first_64k: string } }> = JSON.parse(
    readFileSync(join(formats, 'expected.json'), 'utf8'),
  )
  return expected[path]?.decoded.sha256_first_64k ?? ''
}
