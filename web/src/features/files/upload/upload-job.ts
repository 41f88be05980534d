/** One upload (a folder, or loose files) as data, and what a page may see of it; no timers and no network here. */
import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { SameName, UnpackMode } from '@neuroloom/contract/uploads'
import type { PickedGroup } from './picked-files.ts'
import type { Look } from './upload-look.ts'
import type { Reason, Sending } from './upload-send.ts'
import { createSpeedMeter, type SpeedMeter } from './upload-speed.ts'

/**
 * (`packing` →) `looking` → (`choosing` →) `cleaning` → `preparing` → (`asking` → `preparing`) → `sending` ⇄ `paused` →
 * `done` | `cancelled`; `refused` = nothing was sent.
 */
export type JobState =
  | 'packing'
  | 'looking'
  | 'choosing'
  | 'cleaning'
  | 'preparing'
  | 'asking'
  | 'sending'
  | 'paused'
  | 'done'
  | 'cancelled'
  | 'refused'

/** States before anything is announced, in which work goes on in the browser. */
export const isGettingReady = ({ state }: { state: JobState }): boolean =>
  state === 'packing' || state === 'looking' || state === 'choosing' || state === 'cleaning'

export type ItemState = 'waiting' | 'sending' | 'retrying' | 'paused' | 'failed'

export type Item = {
  key: number
  path: string
  file: File
  state: ItemState
  /** The number from `files/prepare`. */
  upload: string
  sentBytes: number
  /** What the server has certainly taken. */
  takenBytes: number
  /** Attempts since the last byte that got through. */
  attempts: number
  location: string | null
  sending: Sending | null
  /** The same for all files that go in one request. */
  bundle: object | null
  /** Did not come through with others. */
  goesAlone: boolean
  /** Of the latest request. */
  attempt: object | null
  timer: ReturnType<typeof setTimeout> | null
  reason: Reason | null
}

export type Job = {
  key: number
  name: string
  isFolder: boolean
  parentId: string | null
  folderId: string | null
  state: JobState
  picked: PickedGroup['files']
  conflicts: string[]
  decisions: Map<string, SameName>
  /** What the look at the files found; null before it. */
  look: Look | null
  unpack: UnpackMode
  /** By the path of an archive: in which its old names are read; the likeliest where nothing was chosen. */
  encodings: ReadonlyMap<string, TextEncoding>
  /** Of the step before sending, 0–1. */
  stepShare: number
  /** Ends a step before sending. */
  abort: AbortController
  /** By which the server knows what was announced. */
  batch: string | null
  handles: FileSystemHandle[]
  hidden: number
  /** Files that the member left out when asked: no failure, and not among the total. */
  leftOut: number
  packedName: string | null
  /** Everything before the announcement is done. */
  isReady: boolean
  waiting: Item[]
  /** Sending, waiting for another attempt, or paused one by one: everything that began and did not end. */
  begun: Set<Item>
  failed: Item[]
  /** Files that the server would not announce; another attempt is of no use. */
  refused: { path: string; reason: Reason }[]
  reason: Reason | null
  totalFiles: number
  doneFiles: number
  skippedFiles: number
  totalBytes: number
  sentBytes: number
  meter: SpeedMeter
  isReported: boolean
  onFinished: ((folderId: string | null) => void) | undefined
}

export type RowView = { key: number; path: string; state: ItemState; sentBytes: number; sizeBytes: number }
export type FailureView = { key: number | null; path: string; reason: Reason }

export type JobView = Pick<
  Job,
  | 'key'
  | 'name'
  | 'isFolder'
  | 'state'
  | 'conflicts'
  | 'look'
  | 'hidden'
  | 'leftOut'
  | 'reason'
  | 'totalFiles'
  | 'doneFiles'
  | 'skippedFiles'
> & {
  totalBytes: number
  sentBytes: number
  /** 0–1. */
  share: number
  bytesPerSecond: number | null
  secondsLeft: number | null
  isCut: boolean
  rows: RowView[]
  failures: FailureView[]
  failureCount: number
  canRetry: boolean
}

/** Rows and failures shown at a time: a page with 20,000 rows would stand still. */
const shownRows = 8
const shownFailures = 200

export function makeJob(
  key: number,
  group: PickedGroup,
  { parentId, onFinished }: { parentId: string | null; onFinished?: Job['onFinished'] },
): Job {
  return {
    parentId,
    onFinished,
    key,
    name: group.name,
    isFolder: group.isFolder,
    folderId: null,
    state: 'preparing',
    picked: group.files,
    conflicts: [],
    decisions: new Map(),
    look: null,
    unpack: 'no',
    encodings: new Map(),
    stepShare: 0,
    abort: new AbortController(),
    batch: null,
    handles: group.handles ?? [],
    hidden: group.hidden ?? 0,
    leftOut: 0,
    packedName: null,
    isReady: false,
    waiting: [],
    begun: new Set(),
    failed: [],
    refused: [],
    reason: null,
    totalFiles: group.files.length,
    doneFiles: 0,
    skippedFiles: 0,
    totalBytes: 0,
    sentBytes: 0,
    meter: createSpeedMeter(),
    isReported: false,
  }
}

export function makeItem(key: number, picked: { path: string; file: File }, upload: string): Item {
  return {
    ...picked,
    key,
    upload,
    state: 'waiting',
    sentBytes: 0,
    takenBytes: 0,
    attempts: 0,
    location: null,
    sending: null,
    bundle: null,
    goesAlone: false,
    attempt: null,
    timer: null,
    reason: null,
  }
}

export function noteProgress(job: Job, item: Item, sentBytes: number) {
  const step = sentBytes - item.sentBytes
  item.sentBytes = sentBytes
  job.sentBytes += step
  job.meter.add(step)
}

/** Only what was taken counts; the server says exactly how much that is when the file goes on. */
export const noteBreak = (job: Job, item: Item) => noteProgress(job, item, item.takenBytes)

/** Takes an item out of the sums: it failed or was given up, so the bar must not wait for it. */
export function discount(job: Job, item: Item) {
  job.sentBytes -= item.sentBytes
  job.totalBytes -= item.file.size
  item.sentBytes = 0
  item.takenBytes = 0
}

export const isOpen = (job: Job) =>
  isGettingReady(job) ||
  job.state === 'preparing' ||
  job.state === 'asking' ||
  job.state === 'sending' ||
  job.state === 'paused'

export const findItem = (job: Job, key: number) =>
  [...job.begun, ...job.waiting].find((item) => item.key === key)

export const hasUnsent = (job: Job) => job.waiting.length > 0 || job.begun.size > 0

export function viewOf(job: Job, nowMs: number): JobView {
  const isCut = [...job.begun].some((item) => item.state === 'retrying' && item.reason === null)
  const bytesPerSecond = job.state === 'sending' && !isCut ? job.meter.read(nowMs) : null
  const left = job.totalBytes - job.sentBytes
  return {
    key: job.key,
    name: job.name,
    isFolder: job.isFolder,
    state: job.state,
    conflicts: job.conflicts,
    look: job.look,
    hidden: job.hidden,
    leftOut: job.leftOut,
    reason: job.reason,
    totalFiles: job.totalFiles,
    doneFiles: job.doneFiles,
    skippedFiles: job.skippedFiles,
    totalBytes: job.totalBytes,
    sentBytes: job.sentBytes,
    share: shareOf(job),
    bytesPerSecond,
    secondsLeft: bytesPerSecond ? left / bytesPerSecond : null,
    isCut,
    rows: rowsOf(job),
    failures: failuresOf(job),
    failureCount: job.failed.length + job.refused.length,
    canRetry: job.failed.length > 0,
  }
}

function shareOf(job: Job): number {
  if (job.state === 'done') return 1
  if (isGettingReady(job)) return job.stepShare
  if (job.totalBytes > 0) return Math.min(1, job.sentBytes / job.totalBytes)
  return job.totalFiles > 0 ? job.doneFiles / job.totalFiles : 0
}

function rowsOf(job: Job): RowView[] {
  if (!isOpen(job)) return []
  const items = [...job.begun].slice(0, shownRows)
  const next = job.waiting.slice(0, shownRows - items.length)
  return [...items, ...next].map(({ key, path, state, sentBytes, file }) => ({
    key,
    path,
    state,
    sentBytes,
    sizeBytes: file.size,
  }))
}

function failuresOf(job: Job): FailureView[] {
  const failed = job.failed
    .slice(0, shownFailures)
    .flatMap(({ key, path, reason }) => (reason ? [{ key, path, reason }] : []))
  const refused = job.refused.slice(0, shownFailures - failed.length)
  return [...failed, ...refused.map((one) => ({ ...one, key: null }))]
}
