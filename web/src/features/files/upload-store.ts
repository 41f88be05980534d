/** The upload engine as pages use it: add, answer, pause, go on, end. Framework-free; the line itself is in upload-send. */
import type { Answer, Body } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import type { PickedGroup } from './picked-files.ts'
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
  type SameName,
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

export type UploadServices = {
  prepare: (body: Body<'files/prepare'>) => Promise<Answer<'files/prepare'>>
  cancel: (uploads: string[]) => Promise<unknown>
  send: (request: SendRequest) => Sending
  reasonOf: (error: unknown) => Reason
  retryMs?: readonly number[]
}

export type UploadTarget = {
  parentId: string | null
  /** Called once, when every file has arrived or failed, with the folder that was made. */
  onFinished?: ((folderId: string | null) => void) | undefined
}

/** Eyes cannot follow more than about ten pictures of the state a second. */
const publishMs = 100

export class UploadStore {
  private jobs: Job[] = []
  private current: UploadView = { jobs: [], isBusy: false, revision: 0 }
  private revision = 0
  private lastKey = 0
  private timer: ReturnType<typeof setTimeout> | null = null
  private publishedMs = 0
  private readonly listeners = new Set<() => void>()
  private readonly services: UploadServices
  private readonly queue: UploadQueue

  constructor(services: UploadServices) {
    this.services = services
    this.queue = new UploadQueue(() => this.jobs, {
      send: services.send,
      retryMs: services.retryMs ?? limits.retryMs,
      onChange: () => this.publishSoon(),
      onEmpty: (job) => this.settle(job),
    })
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** The same object until something changes. */
  view = (): UploadView => this.current

  add(groups: PickedGroup[], target: UploadTarget) {
    for (const group of groups) {
      const job = makeJob(this.nextKey(), group, target)
      this.jobs.push(job)
      void this.prepare(job, 'ask')
    }
  }

  /** The answer to `asking`; null gives the upload up. */
  answer(jobKey: number, sameName: SameName | null) {
    const job = this.find(jobKey)
    if (job?.state !== 'asking') return
    if (sameName) void this.prepare(job, sameName)
    else this.dismiss(jobKey)
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
    if (job.state === 'refused') return void this.prepare(job, 'ask')
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
    job.state = 'cancelled'
    this.jobs = this.jobs.filter((other) => other !== job)
    this.publish()
  }

  wake() {
    this.queue.wake()
  }

  private async prepare(job: Job, sameName: 'ask' | SameName) {
    job.state = 'preparing'
    job.reason = null
    this.publish()
    const picked = withoutTooLarge(job)
    if (picked.length === 0) return this.settle(job)
    try {
      const list = picked.map(({ path, file }) => ({ path, sizeBytes: file.size }))
      const answer = await this.services.prepare({ parentId: job.parentId, sameName, files: list })
      // Given up while the answer was on its way: return what it reserved.
      if (job.state !== 'preparing') return this.release(answer.uploads.filter((one) => one !== null))
      if (sameName === 'ask' && answer.conflicts.length > 0) {
        job.state = 'asking'
        job.conflicts = answer.conflicts
        return this.publish()
      }
      this.fill(job, picked, answer)
    } catch (error) {
      if (job.state !== 'preparing') return
      job.state = 'refused'
      job.reason = this.services.reasonOf(error)
      this.publish()
    }
  }

  private fill(job: Job, picked: PickedGroup['files'], answer: Answer<'files/prepare'>) {
    const refused = new Map(answer.refused.map(({ path, reason }) => [path, reason]))
    picked.forEach((one, index) => {
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
    this.revision += 1
    this.publish()
    if (job.isReported || job.doneFiles + job.skippedFiles === 0) return
    job.isReported = true
    job.onFinished?.(job.folderId)
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

function withoutTooLarge(job: Job) {
  job.refused = job.picked
    .filter(({ file }) => file.size > limits.fileBytes)
    .map(({ path }) => ({ path, reason: { name: 'file_too_large', params: {} } }))
  return job.picked.filter(({ file }) => file.size <= limits.fileBytes)
}
