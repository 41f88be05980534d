/** De-identifies the DICOM files of one upload: treats them, asks about the rest, leaves the records with the server. */
import type { DeidentificationRecord } from '@neuroloom/contract/deidentification'
import { deidentification as limits } from '@neuroloom/contract/limits'
import { call } from '../../../lib/api.ts'
import type { Picked } from '../upload/picked-files.ts'
import type { Prepared, PrepareOptions } from './files.ts'
import type { Outcome } from './one-file.ts'
import { type Named, renamer } from './paths.ts'
import type { Kind } from './sniff.ts'
import { deidentification, type RefusedFile } from './state.ts'
import { identifiersFor } from './uids.ts'
import { hireCrew } from './workers.ts'

type Batch = PrepareOptions & { picked: readonly Picked[]; kinds: readonly Kind[] }
type Result = Outcome | { kind: 'other' }

export async function treatBatch({ picked, kinds, onProgress, signal }: Batch): Promise<Prepared> {
  const key = await fetchKey(signal)
  const total = picked.length
  const tell = (done: number) => onProgress?.({ done, total })
  const results = await treatAll({ picked, kinds, signal, key, tell })
  const refused = refusedOf(picked, results)
  const answer = refused.length > 0 ? await deidentification.ask(refused, signal) : 'leaveOut'
  const rename = distinct(renamer(namedIn(results), identifiersFor(key)), picked)
  const kept = picked.flatMap((one, index): (Picked & { record: DeidentificationRecord | null })[] => {
    const result = results[index]
    if (result?.kind === 'refused' && answer === 'leaveOut') return []
    const path = rename(one.path)
    if (result?.kind !== 'done') return [{ path, file: one.file, record: null }]
    return [{ path, file: put(one.file, nameOf(path), result), record: result.record }]
  })
  await leaveRecords(
    kept.flatMap(({ record }) => record ?? []),
    signal,
  )
  tellSummary({ kept, picked, rename, refused, answer })
  return {
    files: kept.map(({ path, file }) => ({ path, file })),
    records: kept.flatMap(({ path, record }) => (record ? [{ path, sha256: record.sha256 }] : [])),
    refused: answer === 'leaveOut' ? refused : [],
  }
}

async function treatAll({
  picked,
  kinds,
  signal,
  key,
  tell,
}: Batch & { key: Uint8Array; tell: (done: number) => void }): Promise<Result[]> {
  const crew = hireCrew(key, kinds.filter((kind) => kind === 'dicom').length)
  let done = kinds.filter((kind) => kind !== 'dicom').length
  tell(done)
  const treat = async ({ file }: Picked, index: number): Promise<Result> => {
    if (kinds[index] === 'packed') return { kind: 'refused', reason: 'packed' }
    if (kinds[index] !== 'dicom') return { kind: 'other' }
    const outcome = await crew.treat(file)
    done += 1
    tell(done)
    return outcome
  }
  try {
    return await Promise.race([Promise.all(picked.map(treat)), aborted(signal)])
  } finally {
    crew.end()
  }
}

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )

async function fetchKey(signal: AbortSignal | undefined): Promise<Uint8Array> {
  const { key } = await call('files/deidentificationKey', {}, { quiet: true, ...(signal ? { signal } : {}) })
  return Uint8Array.from(key.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Two names that differ in what was taken out of them must not become one. */
function distinct(rename: (path: string) => string, picked: readonly Picked[]): (path: string) => string {
  const taken = new Set(picked.map(({ path }) => path))
  const given = new Map<string, string>()
  for (const { path } of picked) {
    const wanted = rename(path)
    if (wanted === path) continue
    let free = wanted
    for (let number = 2; taken.has(free); number += 1) free = wanted.replace(/(\.[^./]*)?$/, ` (${number})$1`)
    taken.add(free)
    given.set(path, free)
  }
  return (path) => given.get(path) ?? path
}

/** Put together by the browser when it is read: what did not change stays on the member's disk. */
function put(file: File, name: string, { parts }: Outcome & { kind: 'done' }): File {
  const pieces = parts.map((part) => (part instanceof Uint8Array ? part : file.slice(part.start, part.end)))
  return new File(pieces, name, { type: 'application/dicom', lastModified: file.lastModified })
}

/** Before the files, so that no file is there without its record. */
async function leaveRecords(records: DeidentificationRecord[], signal: AbortSignal | undefined) {
  const different = [...new Map(records.map((record) => [record.sha256, record])).values()]
  for (let start = 0; start < different.length; start += limits.recordsPerCall) {
    const some = different.slice(start, start + limits.recordsPerCall)
    await call(
      'files/recordDeidentification',
      { records: some },
      { quiet: true, ...(signal ? { signal } : {}) },
    )
  }
}

function tellSummary({
  kept,
  picked,
  rename,
  refused,
  answer,
}: {
  kept: { path: string; record: DeidentificationRecord | null }[]
  picked: readonly Picked[]
  rename: (path: string) => string
  refused: RefusedFile[]
  answer: 'leaveOut' | 'send'
}) {
  deidentification.add({
    treated: kept.filter(({ record }) => record !== null).length,
    burnedIn: kept.flatMap(({ path, record }) => (record && mayHoldLetters(record) ? [path] : [])),
    renamed: picked.filter(({ path }) => rename(path) !== path).length,
    leftOut: answer === 'leaveOut' ? refused.length : 0,
    sentAsTheyAre: answer === 'send' ? refused.length : 0,
  })
}

const mayHoldLetters = ({ burnedInText }: DeidentificationRecord) =>
  burnedInText === 'yes' || burnedInText === 'possible'

const refusedOf = (picked: readonly Picked[], results: readonly Result[]): RefusedFile[] =>
  picked.flatMap(({ path }, index) => {
    const result = results[index]
    return result?.kind === 'refused' ? [{ path, reason: result.reason }] : []
  })

const namedIn = (results: readonly Result[]): Named[] =>
  results.flatMap((result) =>
    result.kind === 'done'
      ? [{ words: result.patientWords, patient: result.record.identifiers.patient }]
      : [],
  )

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
