import { files as fileLimits, archives as limits } from '@neuroloom/contract/limits'
import { archiveStem, isClutter } from '@neuroloom/contract/names/archive-names'
import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import { nameReader, type StoredName } from '@neuroloom/contract/names/stored-names'
import type { LeftOutReason, UnpackFailure } from '@neuroloom/contract/uploads'
import { cleanName, FIRST_NUMBER, numberedName } from '../names.ts'
import type { FoundEntry } from './archive.ts'
import type { UnpackReport } from './tables.ts'

export type PlannedFile = {
  index: number
  /** As the archive says. */
  path: string
  /** Below the folder that is made. */
  folders: string[]
  name: string
  sizeBytes: number
  modifiedAt: Date | null
}

export type UnpackPlan = {
  /** Name of the folder that is made. */
  top: string
  files: PlannedFile[]
  /** All folders, those with nothing in them too; outer ones first. */
  folders: string[][]
  totalBytes: number
  report: UnpackReport
}

/** The archive as a whole cannot be unpacked. */
export class Unpackable extends Error {
  readonly failure: UnpackFailure
  readonly params: Record<string, number>

  constructor(failure: UnpackFailure, params: Record<string, number> = {}, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
    this.params = params
  }
}

type Said = { archiveName: string; archiveBytes: number; depth: number; encoding: TextEncoding | null }

/** What will come out, and where to. Nothing is written before all of it is known. */
export async function planUnpack(
  entries: AsyncIterable<FoundEntry>,
  { archiveName, archiveBytes, depth, encoding }: Said,
): Promise<UnpackPlan> {
  const listed = await listAll(entries, archiveBytes)
  const { encoding: namesIn, read } = nameReader(
    listed.map(({ name }) => name),
    encoding,
  )
  const report: UnpackReport = { leftOut: [], leftOutCount: 0, renamed: [] }
  if (namesIn !== 'utf-8') report.namesIn = namesIn
  const wanted: Wanted[] = []
  let totalBytes = 0
  for (const entry of withSlashes(listed.map((entry) => ({ ...entry, path: read(entry.name) })))) {
    const isLong = entry.name.length >= MOST_PATH
    const parts = isLong ? null : partsOf(entry.path)
    const reason = isLong ? 'too_deep' : refusalOf(entry, parts, depth)
    if (reason !== null || parts === null) {
      leaveOut(report, entry.path, reason ?? 'name')
      continue
    }
    if (parts.length === 0) continue
    wanted.push({ entry, parts })
    if (entry.kind === 'file') totalBytes += entry.sizeBytes
  }
  const count = wanted.filter(({ entry }) => entry.kind === 'file').length
  if (count > limits.entries) throw new Unpackable('too_many', { limit: limits.entries, count })
  const { top, inner } = topOf(wanted, archiveName)
  return { top, totalBytes, report, ...place(inner, report) }
}

/** All of them tell together in which alphabet they are written; what is too much is refused while it is counted. */
async function listAll(entries: AsyncIterable<FoundEntry>, archiveBytes: number): Promise<FoundEntry[]> {
  const listed: FoundEntry[] = []
  let bytes = 0
  for await (const entry of entries) {
    listed.push({ ...entry, name: bounded(entry.name) })
    if (listed.length > limits.listed) throw new Unpackable('too_many', { limit: limits.entries })
    const { kind, problem, sizeBytes } = entry
    if (kind === 'file' && problem === null && sizeBytes <= fileLimits.fileBytes) bytes += sizeBytes
    refuseBomb(bytes, archiveBytes)
  }
  return listed
}

/** Bytes, or signs, of a path that may be too long for any place here; of four bytes at most is a sign. */
const MOST_PATH = fileLimits.depth * (fileLimits.nameLength + 1) * 4

/** Before a path is looked at closer: one of four megabytes would be many thousand folders. Keeps nothing of the rest. */
function bounded(name: StoredName): StoredName {
  if (name.length < MOST_PATH) return name
  const start = Buffer.from(typeof name === 'string' ? name.slice(0, MOST_PATH) : name.subarray(0, MOST_PATH))
  return typeof name === 'string' ? start.toString('utf8') : start
}

export function leaveOut(report: UnpackReport, path: string, reason: LeftOutReason): void {
  report.leftOutCount += 1
  if (report.leftOut.length < limits.reportLines) report.leftOut.push({ path: printable(path), reason })
}

/** For people to read, and for a database that holds no NUL and no half characters. */
const printable = (path: string): string =>
  path.slice(0, fileLimits.nameLength * 2).replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD')

type NamedEntry = FoundEntry & { path: string }
type Wanted = { entry: NamedEntry; parts: string[] }

/**
 * Some programs for Windows write `study\\a\\1.png`. Where no name of an archive has a slash, its backslashes part folders;
 * what they lead out of the folder is refused like any other.
 */
function withSlashes(entries: readonly NamedEntry[]): readonly NamedEntry[] {
  const areParted = entries.some(({ path }) => path.includes('\\'))
  if (!areParted || entries.some(({ path }) => path.includes('/'))) return entries
  return entries.map((entry) => {
    const isFolder = entry.path.endsWith('\\') && entry.sizeBytes === 0
    return { ...entry, path: entry.path.replaceAll('\\', '/'), kind: isFolder ? 'folder' : entry.kind }
  })
}

/** Null when the path leads anywhere but into the archive's own folder. */
function partsOf(path: string): string[] | null {
  if (path.includes('\0') || path.includes('\\') || path.startsWith('/') || /^[a-z]:/i.test(path)) return null
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const clean = parts.map(cleanName).filter((part) => part !== null)
  return clean.length < parts.length ? null : clean
}

function refusalOf(entry: NamedEntry, parts: string[] | null, depth: number): LeftOutReason | null {
  if (isClutter(entry.path)) return 'system'
  if (entry.kind === 'link' || entry.kind === 'special') return entry.kind
  if (parts === null) return 'name'
  if (depth + 1 + parts.length > fileLimits.depth) return 'too_deep'
  if (entry.kind === 'folder') return null
  return entry.problem ?? (entry.sizeBytes > fileLimits.fileBytes ? 'too_large' : null)
}

function refuseBomb(bytes: number, archiveBytes: number): void {
  if (bytes > limits.bytes) throw new Unpackable('too_large', { limitBytes: limits.bytes })
  if (bytes > limits.bombBytes && bytes > archiveBytes * limits.ratio) throw new Unpackable('bomb')
}

/** An archive of one folder becomes that folder, not a folder in a folder. */
function topOf(wanted: Wanted[], archiveName: string): { top: string; inner: Wanted[] } {
  const first = wanted[0]?.parts[0]
  const isOneFolder =
    first !== undefined &&
    wanted.every(({ entry, parts }) => parts[0] === first && (parts.length > 1 || entry.kind === 'folder'))
  if (!isOneFolder) return { top: cleanName(archiveStem(archiveName)) ?? 'archive', inner: wanted }
  const inner = wanted.map(({ entry, parts }) => ({ entry, parts: parts.slice(1) }))
  return { top: first, inner: inner.filter(({ parts }) => parts.length > 0) }
}

/** Names that other systems would take for one get a number, in folders as in files. */
function place(wanted: Wanted[], report: UnpackReport): Pick<UnpackPlan, 'files' | 'folders'> {
  const taken = new Map<string, Set<string>>()
  const tried = new Map<string, number>()
  const resolved = new Map<string, string[]>([['', []]])
  const folders: string[][] = []
  const free = (parent: string[], name: string, kind: 'folder' | 'file'): string => {
    const key = parent.join('/')
    const names = taken.get(key) ?? new Set()
    taken.set(key, names)
    const isTaken = (one: string): boolean => names.has(one.toLowerCase())
    if (!isTaken(name)) {
      names.add(name.toLowerCase())
      return name
    }
    // Goes on where the last one of this name, as it is cut to make room for a number, was found: twenty thousand
    // of them would else ask two hundred million times.
    const last = numberedName({ name, kind, from: limits.listed }, () => false)
    const start = `${key}/${last.toLowerCase()}`
    let from = tried.get(start) ?? FIRST_NUMBER
    const chosen = numberedName({ name, kind, from }, (one) => {
      const isNext = isTaken(one)
      if (isNext) from += 1
      return isNext
    })
    tried.set(start, from + 1)
    names.add(chosen.toLowerCase())
    return chosen
  }
  const folderOf = (parts: string[]): string[] => {
    const key = parts.join('/')
    const known = resolved.get(key)
    if (known) return known
    const parent = folderOf(parts.slice(0, -1))
    const name = parts.at(-1) ?? ''
    const chosen = free(parent, name, 'folder')
    const made = [...parent, chosen]
    if (chosen !== name) noteRenamed(report, key, chosen)
    resolved.set(key, made)
    folders.push(made)
    if (folders.length > limits.entries) throw new Unpackable('too_many', { limit: limits.entries })
    return made
  }
  const planned: PlannedFile[] = []
  for (const { entry, parts } of wanted) {
    if (entry.kind === 'folder') {
      folderOf(parts)
      continue
    }
    const parent = folderOf(parts.slice(0, -1))
    const name = parts.at(-1) ?? ''
    const chosen = free(parent, name, 'file')
    if (chosen !== name) noteRenamed(report, entry.path, chosen)
    const { index, path, sizeBytes, modifiedAt } = entry
    planned.push({ index, path, folders: parent, name: chosen, sizeBytes, modifiedAt })
  }
  return { files: planned, folders }
}

function noteRenamed(report: UnpackReport, path: string, name: string): void {
  if (report.renamed.length < limits.reportLines) report.renamed.push({ path: printable(path), name })
}
