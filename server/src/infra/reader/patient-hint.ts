/** Whether the first bytes of a file can belong to one that names its patient, whatever the file is called. Pure and quick. */
import { gunzipSync } from 'node:zlib'
import { isGzip } from './picture/packed.ts'
import { isMetaImage } from './volume/metaimage.ts'
import { niftiVersion } from './volume/nifti.ts'
import { isPhilips } from './volume/philips.ts'

/** `seldom`: volumes without a place of their own for a name; they name nobody until a look into them finds a name. */
export const patientHints = ['likely', 'seldom', 'none'] as const
export type PatientHint = (typeof patientHints)[number]

/** Enough for the preamble, some elements behind it, and the header of a tar. */
export const HINT_BYTES = 4096

export function patientHintOf(bytes: Buffer): PatientHint {
  const start = bytes.subarray(0, HINT_BYTES)
  if (isGzip(start)) {
    const inner = unpackedStart(start)
    return inner === null || isGzip(inner) ? 'likely' : plainHint(inner)
  }
  return plainHint(start)
}

function plainHint(start: Buffer): PatientHint {
  if (startsAsDicom(start) || isPhilips(start) || isArchive(start)) return 'likely'
  const text = start.toString('latin1')
  if (/^NRRD000\d/.test(text) || isMetaImage(text) || niftiVersion(start) !== null) return 'seldom'
  return 'none'
}

/** Null where nothing can be unpacked. */
function unpackedStart(start: Buffer): Buffer | null {
  try {
    // `Z_SYNC_FLUSH`: the end is missing. 4,096 bytes of gzip hold four megabytes at most.
    return gunzipSync(start, { finishFlush: 2 }).subarray(0, HINT_BYTES)
  } catch {
    return null
  }
}

/** `DICM` after the preamble or without one, or a data set from the first bytes on. */
export const startsAsDicom = (start: Buffer): boolean =>
  start.toString('latin1', 128, 132) === 'DICM' ||
  start.toString('latin1', 0, 4) === 'DICM' ||
  STRAY_BYTES.some((at) => isDataSet(start, at))

/** Some archives put a byte or two before the first element. */
const STRAY_BYTES = [0, 1, 2, 3]

/** ZIP but for office documents and NumPy's, RAR, 7z, bzip2, xz, zstd and tar. */
export function isArchive(start: Buffer): boolean {
  const text = start.toString('latin1', 0, 300)
  if (text.startsWith('PK\x03\x04')) return !document.test(text.slice(30))
  return archiveStarts.some((sign) => text.startsWith(sign)) || isTar(text)
}

const archiveStarts = ['Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c', 'BZh', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd']
const isTar = (text: string): boolean => text.slice(257, 262) === 'ustar'

/** The name of the first entry. */
const document =
  /^(\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/|mimetype|META-INF\/|[\w-]+\.npy)/

/** With which data sets begin: file meta information, commands, directories, what an object is, whose it is, how it was made. */
const firstGroups: ReadonlySet<number> = new Set([0x0002, 0x0004, 0x0008, 0x0010, 0x0018, 0x0020, 0x0028])
const CHAINED = 3
const UNDEFINED = 0xffffffff
/** Values before the pixels are short. */
const MOST_BYTES = 65_536

/** Elements one after the other in the order of their tags, in either byte order, with or without types. */
function isDataSet(bytes: Buffer, at: number): boolean {
  return [true, false].some((isLittle) => {
    let [place, last] = [at, -1]
    for (let count = 0; count < CHAINED; count += 1) {
      const found = elementAt(bytes, place, isLittle)
      if (!found || found.tag <= last) return false
      if (count === 0 && !firstGroups.has(found.tag >>> 16)) return false
      // What follows an open sequence cannot be told without reading it, or lies behind these bytes.
      if (found.end === null || (found.end >= bytes.length && count > 0)) return count > 0
      place = found.end
      last = found.tag
    }
    return true
  })
}

type Found = { tag: number; end: number | null }

function elementAt(bytes: Buffer, at: number, isLittle: boolean): Found | null {
  if (at + 8 > bytes.length) return null
  const short = (place: number): number => (isLittle ? bytes.readUInt16LE(place) : bytes.readUInt16BE(place))
  const long = (place: number): number => (isLittle ? bytes.readUInt32LE(place) : bytes.readUInt32BE(place))
  const tag = short(at) * 65_536 + short(at + 2)
  const type = bytes.toString('latin1', at + 4, at + 6)
  if (longTypes.test(type)) {
    if (at + 12 > bytes.length) return null
    return ended(tag, at + 12, long(at + 8))
  }
  if (shortTypes.test(type)) return ended(tag, at + 8, short(at + 6))
  return ended(tag, at + 8, long(at + 4))
}

const longTypes = /^(OB|OD|OF|OL|OV|OW|SQ|SV|UC|UN|UR|UT|UV)$/
const shortTypes = /^(AE|AS|AT|CS|DA|DS|DT|FD|FL|IS|LO|LT|PN|SH|SL|SS|ST|TM|UI|UL|US)$/

function ended(tag: number, start: number, length: number): Found | null {
  if (length === UNDEFINED) return { tag, end: null }
  return length <= MOST_BYTES ? { tag, end: start + length } : null
}
