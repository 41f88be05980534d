/** Looks at chosen files before anything is sent: is each whole, and what its name says? Sends and changes nothing. */

import { archives, files as fileLimits, images, uploads as limits } from '@neuroloom/contract/limits'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import type { NameSamples } from '@neuroloom/contract/names/stored-names'
import { unpackStart } from '../unpack/unpack-start.ts'
import type { Picked } from './picked-files.ts'
import { contentKind, nameKind, pictureSize } from './upload-content.ts'

export type LookProblem = 'empty' | 'tooLarge' | 'otherContent' | 'cut' | 'tooManyPixels' | 'unreadable'
export type LookFinding = { path: string; problem: LookProblem }
export type Look = {
  findings: LookFinding[]
  /** Paths of archives that the server could unpack. */
  archives: string[]
  /** Of those whose names do not say their alphabet: how they could be read. */
  names: Map<string, NameSamples>
}

type Options = { onProgress?: (share: number) => void; signal?: AbortSignal }

const HEAD_BYTES = 64 * 1024
const TAIL_BYTES = 66 * 1024

export async function lookAt(picked: readonly Picked[], { onProgress, signal }: Options = {}): Promise<Look> {
  const look: Look = { findings: [], archives: [], names: new Map() }
  let opened = 0
  let done = 0
  const queue = picked.values()
  const worker = async (): Promise<void> => {
    for (const { path, file } of queue) {
      signal?.throwIfAborted()
      const mayOpen = opened < limits.openedPictures
      const found = await problemOf(path, file, mayOpen)
      if (found.wasOpened) opened += 1
      if (found.problem) look.findings.push({ path, problem: found.problem })
      else if (archiveKind(path) !== null) {
        look.archives.push(path)
        const samples = await samplesOf(path, file)
        if (samples) look.names.set(path, samples)
      }
      done += 1
      onProgress?.(done / picked.length)
    }
  }
  await Promise.all(Array.from({ length: limits.lookAtOnce }, worker))
  return look
}

/** As the server would answer, before a byte flows. */
async function samplesOf(path: string, file: File): Promise<NameSamples | null> {
  const kind = archiveKind(path)
  if (kind === null) return null
  const [{ zipNames }, { tarNames }, { nameSamples }] = await Promise.all([
    import('@neuroloom/contract/names/zip-names'),
    import('@neuroloom/contract/names/tar-names'),
    import('@neuroloom/contract/names/stored-names'),
  ])
  // What the first bytes of a packed one unpack to has names enough.
  const bytes = kind === 'tar.gz' ? new Blob([await startOf(file)]) : file
  const read = async (start: number, length: number): Promise<Uint8Array> =>
    new Uint8Array(await bytes.slice(start, start + length).arrayBuffer())
  const names = kind === 'zip' ? zipNames : tarNames
  // A file that cannot be read any more says so when it is sent.
  return nameSamples(await names(read, bytes.size).catch(() => []))
}

async function startOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await bytesOf(file.slice(0, archives.namesPackedBytes))
  return packed ? unpackStart(packed, 'gzip', archives.namesBytes) : new Uint8Array()
}

type Found = { problem: LookProblem | null; wasOpened: boolean }
const fine: Found = { problem: null, wasOpened: false }

async function problemOf(path: string, file: File, mayOpen: boolean): Promise<Found> {
  const bad = (problem: LookProblem): Found => ({ problem, wasOpened: false })
  if (file.size === 0) return bad('empty')
  if (file.size > fileLimits.fileBytes) return bad('tooLarge')
  const said = nameKind(path)
  if (said === null) return fine
  const head = await bytesOf(file.slice(0, HEAD_BYTES))
  if (head === null) return bad('unreadable')
  if (contentKind(head) !== said) return bad('otherContent')
  const tail = file.size <= HEAD_BYTES ? head : await bytesOf(file.slice(-TAIL_BYTES))
  if (tail === null) return bad('unreadable')
  if (isCut(said, tail)) return bad('cut')
  const size = pictureSize(said, head)
  if (size && size.width * size.height > images.maxPixels) return bad('tooManyPixels')
  if (!size || !mayOpen || typeof createImageBitmap !== 'function') return fine
  return { problem: (await opens(file)) ? null : 'unreadable', wasOpened: true }
}

async function bytesOf(part: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await part.arrayBuffer())
  } catch {
    // Moved, locked, or on a drive that is gone.
    return null
  }
}

async function opens(file: File): Promise<boolean> {
  try {
    const picture = await createImageBitmap(file)
    picture.close()
    return true
  } catch {
    return false
  }
}

/** The end that a whole file of the kind has. */
function isCut(kind: string, tail: Uint8Array): boolean {
  if (kind === 'png') return !hasNear(tail, [0x49, 0x45, 0x4e, 0x44])
  if (kind === 'jpeg') return !hasNear(tail, [0xff, 0xd9])
  if (kind === 'pdf') return !hasNear(tail, [0x25, 0x25, 0x45, 0x4f, 0x46])
  return kind === 'zip' && !hasNear(tail, [0x50, 0x4b, 0x05, 0x06])
}

function hasNear(bytes: Uint8Array, sequence: readonly number[]): boolean {
  for (let start = bytes.length - sequence.length; start >= 0; start -= 1)
    if (sequence.every((value, index) => bytes[start + index] === value)) return true
  return false
}
