/** Whether text headers and archives tell who the patient is; null = that cannot be known. Unpacks no more than beginnings. */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import * as yauzl from 'yauzl'
import { HINT_BYTES, isArchive, patientHintOf } from './patient-hint.ts'
import { isSomebody } from './patient-identity.ts'
import { gunzip, isGzip } from './picture/packed.ts'
import { isMetaImage } from './volume/metaimage.ts'
import { niftiVersion } from './volume/nifti.ts'
import { isPhilips } from './volume/philips.ts'

type Named = boolean | null
/** Of a file in an archive, by its first bytes. */
type Look = (start: Buffer) => Named

/** A name is looked for in that much of a file; DICOM has it near the beginning. */
const START_BYTES = 256 * 1024
/** Of the beginning of a packed file. */
const UNPACKED_START = 8 * 1024 ** 2
/** What lies behind is not looked at, so it may name somebody. */
const [ENTRIES, UNPACKED_BYTES] = [5000, 512 * 1024 ** 2]

/** PAR, NRRD, MetaImage, NIfTI and Analyze; their names stand where programs put them, not where a standard says. */
export function namesInText(bytes: Buffer): boolean {
  const text = bytes.subarray(0, 64 * 1024).toString('latin1')
  if (isPhilips(bytes)) return isSomebody(/^[.#]\s*Patient name\s*:(.*)$/im.exec(text)?.[1] ?? '')
  if (/^NRRD000\d/.test(text)) return namesInFields(text.split(/\r?\n\r?\n/)[0] ?? '')
  if (isMetaImage(text)) return namesInFields(text.split(/^\s*ElementDataFile\b/im)[0] ?? '')
  return namesInVolume(text)
}

/** Name, number, birth date and address of the patient, in words or by the numbers that ITK writes: `0010|0010`. */
const ofPatient =
  /(?:patient'?s?[ _]?(?:name|id\b|birth[ _]?date)|0010[,_ |]?(?:0010|0020|0030|1000|1001|1040|2154)\b\)?)[ \t]*:?=?[ \t]*(.*)$/gim
/** Patient Identity Removed. */
const isRemoved = /0012[,_ |]?0062\)?[ \t]*:?=[ \t]*YES/i

const namesInFields = (header: string): boolean =>
  !isRemoved.test(header) && [...header.matchAll(ofPatient)].some(([, said = '']) => isSomebody(said))

function namesInVolume(text: string): boolean {
  const bytes = Buffer.from(text.slice(0, 348), 'latin1')
  const version = niftiVersion(bytes)
  if (version === null) return false
  const at = (start: number, end: number): string => text.slice(start, end).split('\0')[0] ?? ''
  // `descrip`, free text; as DICOM writes names, or said to be one.
  const described = version === 1 ? at(148, 228) : at(240, 320)
  const said = /name\s*[:=]\s*([^;,]+)/i.exec(described)?.[1] ?? /[^\s;,=]+\^[^\s;,]+/.exec(described)?.[0]
  if (isSomebody(said ?? '')) return true
  // Analyze alone has the patient's number; NIfTI has coordinates in its place.
  const isAnalyze = version === 1 && !/^n[+i]1/.test(text.slice(344, 347))
  const number = at(283, 293)
  return isAnalyze && /^[\x20-\x7e]*$/.test(number) && isSomebody(number)
}

export type Packing = 'zip' | 'tar' | 'other'

/** Null for what is no archive. */
export function packingOf(start: Buffer, name: string): Packing | null {
  if (start.toString('latin1', 0, 4).startsWith('PK\x03\x04')) return 'zip'
  if (/\.(tar|tar\.gz|tgz)$/i.test(name) || isTar(startOfPacked(start))) return 'tar'
  return isArchive(start) || /\.(zip|rar|7z|bz2|xz|zst)$/i.test(name) ? 'other' : null
}

/** What lies in gzip, else the bytes themselves. */
function startOfPacked(start: Buffer): Buffer {
  if (!isGzip(start)) return start
  try {
    return gunzip(start.subarray(0, HINT_BYTES), UNPACKED_START)
  } catch {
    return start
  }
}

const isTar = (start: Buffer): boolean => start.toString('latin1', 257, 262) === 'ustar'

export async function namesInArchive(path: string, packing: Packing, look: Look): Promise<Named> {
  if (packing === 'other') return null
  try {
    return await (packing === 'zip' ? namesInZip(path, look) : namesInTar(path, look))
  } catch {
    // Damaged, or locked: whoever can open it may find a name.
    return null
  }
}

const hasTextHeader = /\.(par|nrrd|nhdr|mha|mhd|nii|nii\.gz|hdr)$/i
const isNamedArchive = (name: string): boolean =>
  /\.(zip|tar|tgz|gz|bz2|xz|7z|rar|zst)$/i.test(name) && !hasTextHeader.test(name)

async function namesInZip(path: string, look: Look): Promise<Named> {
  const open = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)
  const zip = await open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: false })
  const openEntry = promisify<yauzl.Entry, Readable>(zip.openReadStream.bind(zip))
  let isKnown = true
  let count = 0
  try {
    for await (const entry of entriesOf(zip)) {
      count += 1
      if (count > ENTRIES) return null
      const { fileName } = entry
      if (fileName.endsWith('/')) continue
      if (entry.isEncrypted() || isNamedArchive(fileName)) isKnown = false
      else {
        const named = lookIn(await startOf(await openEntry(entry), 'left'), look)
        if (named) return true
        if (named === null) isKnown = false
      }
    }
    return isKnown ? false : null
  } finally {
    zip.close()
  }
}

async function* entriesOf(zip: yauzl.ZipFile): AsyncIterable<yauzl.Entry> {
  for (let left = zip.entryCount; left > 0; left -= 1) {
    yield await new Promise<yauzl.Entry>((resolve, reject) => {
      zip.once('entry', resolve)
      zip.once('error', reject)
      zip.readEntry()
    })
    zip.removeAllListeners('error')
  }
}

async function namesInTar(path: string, look: Look): Promise<Named> {
  const packed = createReadStream(path)
  const entries = extract()
  const unpacked = /\.tar$/i.test(path) || !(await isPacked(path)) ? packed : packed.pipe(createGunzip())
  let room = UNPACKED_BYTES
  let isKnown = true
  let count = 0
  unpacked.on('data', (piece: Buffer) => {
    room -= piece.length
    if (room < 0) entries.destroy(new Error('too much comes out of it'))
  })
  for (const stream of [packed, unpacked]) stream.on('error', (error: Error) => entries.destroy(error))
  try {
    unpacked.pipe(entries)
    for await (const entry of entries) {
      count += 1
      if (count > ENTRIES) return null
      const { name, type } = entry.header
      if (type !== 'file' && type !== 'contiguous-file') entry.resume()
      else if (isNamedArchive(name)) {
        isKnown = false
        entry.resume()
      } else {
        const named = lookIn(await startOf(entry, 'passed'), look)
        if (named) return true
        if (named === null) isKnown = false
      }
    }
    return isKnown ? false : null
  } finally {
    packed.destroy()
    entries.destroy()
  }
}

async function isPacked(path: string): Promise<boolean> {
  for await (const start of createReadStream(path, { start: 0, end: 1 })) return isGzip(start as Buffer)
  return false
}

/** The first bytes. The rest of a tar's entry has to be passed to come to the next one. */
async function startOf(stream: AsyncIterable<unknown>, rest: 'left' | 'passed'): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  let wanted = START_BYTES
  for await (const piece of stream) {
    // Both libraries give buffers.
    if (bytes < wanted) pieces.push(piece as Buffer)
    bytes += (piece as Buffer).length
    // Of pictures and most else, the first bytes say that nothing follows.
    if (bytes >= HINT_BYTES && wanted > HINT_BYTES && patientHintOf(Buffer.concat(pieces)) === 'none')
      wanted = HINT_BYTES
    if (bytes >= wanted && rest === 'left') break
  }
  return Buffer.concat(pieces)
}

/** By the bytes, for any name may stand on anything. */
function lookIn(start: Buffer, look: Look): Named {
  if (patientHintOf(start) === 'none') return false
  if (isArchive(start)) return null
  if (!isGzip(start)) return look(start)
  const inner = gunzip(start, 4 * START_BYTES)
  return isArchive(inner) || isGzip(inner) ? null : look(inner)
}
