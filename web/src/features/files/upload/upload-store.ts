/** The upload engine as pages use it: add, answer, pause, go on, end. Framework-free; the line itself is in upload-send. */
import type { Answer, Body } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import type { SameName, UnfinishedBatch } from '@neuroloom/contract/uploads'
import type { Picked, PickedGroup } from './picked-files.ts'
import type { SendMany } from './upload-bundle.ts'
import { type Steps, UploadIntake } from './upload-intake.ts'
import {
  discount,
  findItem,
  hasUnsent,
  isOpen,
  type Job,
  type JobView,
  makeItem,
  makeJob,
  noteBreak,
  noteProgress,
  viewOf,
} from './upload-job.ts'
import { UploadQueue } from './upload-queue.ts'
import type { Reason, Sending, SendRequest } from './upload-send.ts'

export type UploadView = {
  jobs: readonly JobView[]
  isBusy: boolean
  /** Grows whenever a folder's content changed on the server, so that lists can be fetched anew. */
  revision: number
}

/** A file of an earlier upload that was found again. */
export type FoundFile = Picked & { upload: string; receivedBytes: number }

export type UploadServices = {
  prepare: (body: Body<'files/prepare'>) => Promise<Answer<'files/prepare'>>
  cancel: (uploads: string[]) => Promise<unknown>
  send: (request: SendRequest) => Sending
  /** Small files together; a store without it sends each by itself. */
  sendMany?: SendMany
  reasonOf: (error: unknown) => Reason
  /** Address of an upload that has begun. */
  locationOf?: (upload: string) => string
  retryMs?: readonly number[]
  /** Steps before sending; a store without one leaves it out. */
  steps?: Partial<Steps>
  /** What was announced can be found again, or need not be any more. */
  onBatch?: (batch: string, job: Pick<Job, 'handles' | 'packedName'>) => void
  onBatchEnded?: (batch: string) => void
}

export type UploadTarget = {
  parentId: string | null
  /** Called once, when every file has arrived or failed, with the folder that was made. */
  onFinished?: ((folderId: string | null) => void) | undefined
}

/** Eyes cannot follow more than about ten pictures of the state a second. */
const publishMs = 100

type Choice = Pick<Job, 'unpack' | 'encodings'> & { leaveOut: ReadonlySet<string> }

export class UploadStore {
  private jobs: Job[] = []
  private current: UploadView = { jobs: [], isBusy: false, revision: 0 }
  private revision = 0
  private lastKey = 0
  private member: string | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private publishedMs = 0
  private readonly listeners = new Set<() => void>()
  private readonly services: UploadServices
  private readonly queue: UploadQueue
  private readonly intake: UploadIntake

  constructor(services: UploadServices) {
    this.services = services
    this.queue = new UploadQueue(() => this.jobs, {
      send: services.send,
      sendMany: services.sendMany,
      retryMs: services.retryMs ?? limits.retryMs,
      onChange: () => this.publishSoon(),
      onEmpty: (job) => this.settle(job),
    })
    this.intake = new UploadIntake({
      prepare: services.prepare,
      reasonOf: services.reasonOf,
      steps: services.steps ?? {},
      onChange: (pace) => (pace === 'now' ? this.publish() : this.publishSoon()),
      onAnnounced: (job, answer) => this.fill(job, answer),
      onStale: ({ uploads }) => this.release(uploads.filter((one) => one !== null)),
      onNothing: (job) => this.settle(job),
    })
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Numbers of what is under way here. */
  batches(): Set<string> {
    return new Set(this.jobs.filter(isOpen).flatMap(({ batch }) => (batch === null ? [] : [batch])))
  }

  /** The same object until something changes. */
  view = (): UploadView => this.current

  /** Answers the keys of what begins. */
  add(groups: PickedGroup[], target: UploadTarget): number[] {
    return groups.map((group) => {
      const job = makeJob(this.nextKey(), group, target)
      this.jobs.push(job)
      void this.intake.getReady(job)
      return job.key
    })
  }

  /** Many loose files as one archive, which the server unpacks into a folder of this name. */
  addPacked(group: PickedGroup, folderName: string, target: UploadTarget): number {
    const job = makeJob(this.nextKey(), { ...group, name: folderName }, target)
    job.packedName = `${folderName}.zip`
    this.jobs.push(job)
    void this.intake.getReady(job)
    return job.key
  }

  /** Goes on with what was announced before; each file with the bytes of it that have arrived. */
  goOn(batch: UnfinishedBatch, name: string, files: readonly FoundFile[]) {
    const isFolder = files.some(({ path }) => path.includes('/'))
    const job = makeJob(this.nextKey(), { name, isFolder, files: [] }, { parentId: batch.parentId })
    job.batch = batch.batch
    job.totalFiles = batch.totalFiles
    job.doneFiles = batch.totalFiles - files.length
    job.totalBytes = batch.totalBytes
    job.sentBytes = batch.totalBytes
    for (const { path, file, upload, receivedBytes } of files) {
      const item = makeItem(this.nextKey(), { path, file }, upload)
      job.sentBytes -= file.size
      if (receivedBytes > 0) {
        item.location = this.services.locationOf?.(upload) ?? null
        item.takenBytes = receivedBytes
        noteProgress(job, item, receivedBytes)
      }
      job.waiting.push(item)
    }
    job.state = 'sending'
    this.jobs.push(job)
    this.changed()
  }

  /** The answer to `choosing`: what is left out, and what becomes of archives; null gives the upload up. */
  choose(jobKey: number, choice: Choice | null) {
    const job = this.find(jobKey)
    if (job?.state !== 'choosing') return
    if (!choice) return this.dismiss(jobKey)
    const picked = job.picked.filter(({ path }) => !choice.leaveOut.has(path))
    job.leftOut = job.picked.length - picked.length
    job.totalFiles -= job.leftOut
    job.picked = picked
    job.unpack = choice.unpack
    job.encodings = choice.encodings
    void this.intake.cleanAndPrepare(job)
  }

  /** The answer to `asking`, path by path; null gives the upload up. */
  answer(jobKey: number, decisions: ReadonlyMap<string, SameName> | null) {
    const job = this.find(jobKey)
    if (job?.state !== 'asking') return
    if (!decisions) return this.dismiss(jobKey)
    for (const [path, sameName] of decisions) job.decisions.set(path, sameName)
    void this.intake.prepare(job)
  }

  /** Whose uploads these are. Nobody signed in: they wait; somebody else: they are gone from here. */
  belongTo(member: string | null) {
    if (member === null) {
      for (const job of this.jobs) if (job.state === 'sending') this.queue.hold(job, signedOut)
    } else if (this.member !== null && this.member !== member) {
      for (const job of this.jobs) this.forget(job)
      this.jobs = []
    } else {
      for (const job of this.jobs) if (job.reason === signedOut) this.resume(job.key)
    }
    if (member !== null) this.member = member
    this.changed()
  }

  pause(jobKey: number) {
    const job = this.find(jobKey)
    if (job?.state !== 'sending') return
    this.queue.hold(job, null)
    this.changed()
  }

  resume(jobKey: number) {
    const job = this.find(jobKey)
    if (job?.state !== 'paused') return
    job.state = 'sending'
    job.reason = null
    for (const item of job.begun) this.queue.requeue(job, item)
    this.changed()
  }

  /** Gives up what has not arrived; what has stays. */
  terminate(jobKey: number) {
    const job = this.find(jobKey)
    if (!job || !isOpen(job)) return
    const unsent = [...job.begun, ...job.waiting]
    for (const item of job.begun) this.queue.halt(item)
    this.release(unsent.map(({ upload }) => upload))
    if (job.batch) this.services.onBatchEnded?.(job.batch)
    job.abort.abort()
    job.begun.clear()
    job.waiting = []
    job.picked = []
    job.state = 'cancelled'
    this.revision += 1
    this.changed()
  }

  pauseFile(jobKey: number, key: number) {
    const job = this.find(jobKey)
    const item = job && findItem(job, key)
    if (!job || !item || item.state === 'paused') return
    this.queue.halt(item)
    noteBreak(job, item)
    job.waiting = job.waiting.filter((other) => other !== item)
    job.begun.add(item)
    item.state = 'paused'
    this.changed()
  }

  resumeFile(jobKey: number, key: number) {
    const job = this.find(jobKey)
    const item = job && findItem(job, key)
    if (!job || item?.state !== 'paused') return
    this.queue.requeue(job, item)
    this.changed()
  }

  terminateFile(jobKey: number, key: number) {
    const job = this.find(jobKey)
    const item = job && findItem(job, key)
    if (!job || !item) return
    this.queue.halt(item)
    job.begun.delete(item)
    job.waiting = job.waiting.filter((other) => other !== item)
    discount(job, item)
    job.totalFiles -= 1
    this.release([item.upload])
    if (job.state === 'paused' && !hasUnsent(job)) job.state = 'sending'
    this.queue.settleIfEmpty(job)
    this.changed()
  }

  /** Tries the failed files once more, or the whole upload when nothing of it was taken. */
  retryFailed(jobKey: number) {
    const job = this.find(jobKey)
    if (!job) return
    if (job.state === 'refused')
      return void (job.isReady ? this.intake.prepare(job) : this.intake.getReady(job))
    for (const item of job.failed) {
      Object.assign(item, { state: 'waiting', attempts: 0, reason: null, location: null })
      job.totalBytes += item.file.size
    }
    job.waiting.push(...job.failed)
    job.failed = []
    if (job.state === 'done') job.state = 'sending'
    this.changed()
  }

  /** Takes an ended or unanswered upload off the list. */
  dismiss(jobKey: number) {
    const job = this.find(jobKey)
    if (!job || job.state === 'sending' || job.state === 'paused') return
    job.abort.abort()
    job.state = 'cancelled'
    this.jobs = this.jobs.filter((other) => other !== job)
    this.publish()
  }

  pauseAll() {
    for (const { key } of this.jobs) this.pause(key)
  }

  resumeAll() {
    for (const { key } of this.jobs) this.resume(key)
  }

  terminateAll() {
    for (const { key } of this.jobs) this.terminate(key)
  }

  wake() {
    this.queue.wake()
  }

  private fill(job: Job, answer: Answer<'files/prepare'>) {
    job.batch = answer.batch
    if (job.batch) this.services.onBatch?.(job.batch, job)
    const refused = new Map(answer.refused.map(({ path, reason }) => [path, reason]))
    job.picked.forEach((one, index) => {
      const upload = answer.uploads[index]
      const reason = refused.get(one.path)
      if (reason) job.refused.push({ path: one.path, reason: { name: reason, params: {} } })
      else if (!upload) job.skippedFiles += 1
      else {
        job.waiting.push(makeItem(this.nextKey(), one, upload))
        job.totalBytes += one.file.size
      }
    })
    job.folderId = answer.folderId
    job.conflicts = []
    job.picked = []
    job.state = 'sending'
    this.revision += 1
    this.queue.settleIfEmpty(job)
    this.changed()
  }

  private settle(job: Job) {
    job.state = 'done'
    if (job.batch && job.failed.length === 0) this.services.onBatchEnded?.(job.batch)
    this.revision += 1
    this.publish()
    if (job.isReported || job.doneFiles + job.skippedFiles === 0) return
    job.isReported = true
    job.onFinished?.(job.folderId)
  }

  /** Out of this tab; what the server has of it stays the member's. */
  private forget(job: Job) {
    job.abort.abort()
    for (const item of job.begun) this.queue.halt(item)
    job.begun.clear()
    job.waiting = []
    job.state = 'cancelled'
  }

  private release(uploads: string[]) {
    // Nobody waits for this: the server drops an upload that nobody continues as well.
    if (uploads.length > 0) this.services.cancel(uploads).catch(() => {})
  }

  private changed() {
    this.publish()
    this.queue.pump()
  }

  private publishSoon() {
    if (this.timer) return
    const waitMs = this.publishedMs + publishMs - Date.now()
    if (waitMs <= 0) this.publish()
    else this.timer = setTimeout(() => this.publish(), waitMs)
  }

  private publish() {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const nowMs = Date.now()
    this.publishedMs = nowMs
    const jobs = this.jobs.map((job) => viewOf(job, nowMs))
    this.current = { jobs, isBusy: this.jobs.some(isOpen), revision: this.revision }
    for (const listener of this.listeners) listener()
  }

  private find(key: number) {
    return this.jobs.find((job) => job.key === key)
  }

  private nextKey() {
    this.lastKey += 1
    return this.lastKey
  }
}

const signedOut: Reason = { name: 'not_signed_in', params: {} }
