/** One DICOM file without its patient: bytes in, bytes and a record out. Knows no browser, no server and no clock. */

import type { DeidentificationRecord } from '@neuroloom/contract/deidentification'
import { profileEdition } from '@neuroloom/contract/privacy/confidentiality-profile'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { decodeText } from './charset.ts'
import { readContainer, writeHead } from './container.ts'
import { deflate, inflate } from './deflate.ts'
import { burnedInText, type Facts, tags } from './facts.ts'
import { marksFor } from './marks.ts'
import { compact } from './output.ts'
import { nameWords } from './paths.ts'
import { Refusal } from './refusal.ts'
import { memorySource, type Part, partsSource, type Source, sizeOfAll } from './source.ts'
import type { Tally } from './tally.ts'
import { type Task, type Treated, treat } from './treat.ts'
import type { Identifiers } from './uids.ts'
import { wordsOf, wordTest } from './words.ts'

export type Deidentified = {
  /** The new file; stretches are of the old one. */
  parts: Part[]
  record: DeidentificationRecord
  /** What the patient was called, to find it in names of files and folders. Never to be stored or sent. */
  patientWords: string[]
}

/** Fails with a `Refusal` where the file cannot be read with certainty, or where something would be left in it. */
export async function deidentify(source: Source, identifiers: Identifiers): Promise<Deidentified> {
  const container = readContainer(source)
  const { dataStart, encoding, isDeflated } = container
  const data = isDeflated
    ? memorySource(await inflate(source.read(dataStart, source.length - dataStart).slice()))
    : source
  const start = isDeflated ? 0 : dataStart
  const task: Task = {
    source: data,
    start,
    encoding,
    identifiers,
    marks: marksFor(encoding),
    namesSomebody: null,
  }
  const { facts } = treat(task)
  if (!container.meta) requireObject(facts)
  const whole = { ...task, namesSomebody: wordTest(wordsOf(facts.names)) }
  const treated = treat(whole)
  const parts = compact(data, treated.output.parts)
  const checked = checkAgain(whole, parts)
  const sopInstance = newUid(identifiers, facts.texts.get(tags.sopInstance) ?? container.meta?.sopInstance)
  const body = isDeflated ? [await deflate(partsSource(data, parts).read(0, sizeOfAll(parts)))] : parts
  const written = [writeHead(container, sopInstance), ...body]
  const output = partsSource(source, written)
  const pixels = await pixelSums({ data, parts, facts }, checked.facts)
  return {
    parts: written,
    patientWords: nameWords(facts.patient.map((value) => decodeText(value, charsetOf(facts)))),
    record: {
      profile: profileEdition,
      sha256: await digest(output, 0, output.length),
      sizeBytes: output.length,
      counts: countsOf(treated.tally),
      attributes: treated.tally.attributes(),
      identifiers: identifiersOf(facts, identifiers),
      pixels,
      burnedInText: burnedInText(facts),
    },
  }
}

/** Without a head, bytes of any kind can be read as a data set of sorts; an object says what it is. */
function requireObject({ texts, pixels }: Facts) {
  if (!texts.has(tags.sopClass) && !texts.has(tags.modality) && pixels === null) throw new Refusal('broken')
}

/** What was written is read and treated once more: then there must be nothing left to do. */
function checkAgain(task: Task, parts: readonly Part[]): Treated {
  const again = treat({ ...task, source: partsSource(task.source, parts), start: 0 })
  if (again.tally.changes > 0) throw new Refusal('unsure')
  return again
}

/** Large pixels are a stretch of the old file in the new one: then they are one and the same, and summed up once. */
async function pixelSums(
  { data, parts, facts }: { data: Source; parts: readonly Part[]; facts: Facts },
  checked: Facts,
): Promise<DeidentificationRecord['pixels']> {
  if (!facts.pixels || !checked.pixels) return null
  const { start, end } = facts.pixels
  const before = await digest(data, start, end)
  const isCopied = parts.some(
    (part) => !(part instanceof Uint8Array) && part.start <= start && part.end >= end,
  )
  if (isCopied) return { before, after: before }
  const after = await digest(partsSource(data, parts), checked.pixels.start, checked.pixels.end)
  if (before !== after) throw new Refusal('unsure', 'pixels')
  return { before, after }
}

function countsOf(tally: Tally): DeidentificationRecord['counts'] {
  return {
    removed: tally.count('removed'),
    emptied: tally.count('emptied'),
    replaced: tally.count('replaced'),
    newUids: tally.count('newUid'),
    privateRemoved: tally.privateRemoved,
    cleared: tally.count('cleared'),
  }
}

function identifiersOf({ texts }: Facts, identifiers: Identifiers): DeidentificationRecord['identifiers'] {
  const patient = texts.get(tags.patientId)
  return {
    study: newUid(identifiers, texts.get(tags.study)) || null,
    series: newUid(identifiers, texts.get(tags.series)) || null,
    instance: newUid(identifiers, texts.get(tags.sopInstance)) || null,
    patient: patient ? identifiers.patient(patient) : null,
  }
}

const charsetOf = ({ texts }: Facts) => texts.get(tags.specificCharacterSet) ?? ''

const newUid = (identifiers: Identifiers, old: string | undefined) => (old ? identifiers.uid(old) : '')

/** The browser hashes ten times faster, but only what lies in memory as a whole, and only on a safe address. */
const wholeBytes = 512 * 1024 * 1024
const pieceBytes = 4 * 1024 * 1024

/** SHA-256 of a stretch of bytes in small letters; by the browser's own means where they are to be had. */
async function digest(source: Source, start: number, end: number): Promise<string> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (subtle && end - start <= wholeBytes) {
    return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', source.read(start, end - start))))
  }
  const hash = sha256.create()
  for (let offset = start; offset < end; offset += pieceBytes) {
    hash.update(source.read(offset, Math.min(pieceBytes, end - offset)))
  }
  return bytesToHex(hash.digest())
}
