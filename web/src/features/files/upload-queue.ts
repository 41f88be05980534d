/** Sends the files of all uploads a few at a time and tries again; it announces nothing and shows nothing. */
import { files as limits } from '@neuroloom/contract/limits'
import { discount, hasUnsent, type Item, type Job, noteBreak, noteProgress } from './upload-job.ts'
import type { Outcome, Reason, Sending, SendRequest } from './upload-send.ts'

type Options = {
  send: (request: SendRequest) => Sending
  /** Waiting times before further attempts; the last one repeats while the line is cut. */
  retryMs: readonly number[]
  /** Something to be seen has changed. */
  onChange: () => void
  /** Every file of the upload has arrived, failed or was given up. */
  onEmpty: (job: Job) => void
}

export class UploadQueue {
  private readonly options: Options
  private readonly jobs: () => readonly Job[]

  constructor(jobs: () => readonly Job[], options: Options) {
    this.jobs = jobs
    this.options = options
  }

  /** Starts as many files as may run at once, the oldest upload first. */
  pump() {
    let free = limits.parallelUploads - this.jobs().reduce((sum, job) => sum + slotsOf(job), 0)
    for (const job of this.jobs()) {
      while (job.state === 'sending' && free > 0) {
        const item = job.waiting.shift()
        if (!item) break
        this.begin(job, item)
        free -= 1
      }
    }
  }

  /** Takes files back into the row and stops the upload; `reason` says why it was not the user. */
  hold(job: Job, reason: Reason | null) {
    job.state = 'paused'
    job.reason = reason
    job.meter.reset()
    for (const item of [...job.begun].reverse()) if (item.state !== 'paused') this.requeue(job, item)
  }

  /** Puts one file back at the head of the row; what has arrived of it stays. */
  requeue(job: Job, item: Item) {
    this.halt(item)
    job.begun.delete(item)
    noteBreak(job, item)
    item.state = 'waiting'
    job.waiting.unshift(item)
  }

  /** Stops what a file is doing at this moment. */
  halt(item: Item) {
    if (item.timer) clearTimeout(item.timer)
    item.timer = null
    const sending = item.sending
    item.sending = null
    if (!sending) return
    sending.stop()
    item.location = sending.location()
  }

  settleIfEmpty(job: Job) {
    if (job.state === 'sending' && !hasUnsent(job)) this.options.onEmpty(job)
  }

  /** The line is back: no waiting times any more. */
  wake() {
    for (const job of this.jobs())
      for (const item of job.begun) if (item.state === 'retrying') this.again(job, item)
  }

  private begin(job: Job, item: Item) {
    item.state = 'sending'
    item.reason = null
    job.begun.add(item)
    const { file, upload, location } = item
    const before = item.takenBytes
    const onProgress = (bytes: number) => {
      if (item.sending !== sending) return
      noteProgress(job, item, bytes)
      this.options.onChange()
    }
    const onTaken = (bytes: number) => {
      item.takenBytes = bytes
    }
    const sending = this.options.send({ file, upload, location, onProgress, onTaken })
    item.sending = sending
    sending.outcome.then((outcome) => {
      // Halted meanwhile: another attempt, or none, has taken its place.
      if (item.sending !== sending) return
      item.location = sending.location()
      item.sending = null
      if (item.takenBytes > before) item.attempts = 0
      this.end(job, item, outcome)
    })
  }

  private end(job: Job, item: Item, outcome: Outcome) {
    switch (outcome.kind) {
      case 'stopped':
        return
      case 'done':
        noteProgress(job, item, item.file.size)
        job.begun.delete(item)
        job.doneFiles += 1
        break
      case 'cut':
        this.retry(job, item, null)
        break
      case 'busy':
        if (item.attempts < this.options.retryMs.length) this.retry(job, item, outcome.reason)
        else fail(job, item, outcome.reason)
        break
      case 'refused':
        fail(job, item, outcome.reason)
        break
      case 'halt':
        this.requeue(job, item)
        for (const other of this.jobs()) if (other.state === 'sending') this.hold(other, outcome.reason)
        break
    }
    this.settleIfEmpty(job)
    this.options.onChange()
    this.pump()
  }

  private retry(job: Job, item: Item, reason: Reason | null) {
    const { retryMs } = this.options
    const waitMs = retryMs[Math.min(item.attempts, retryMs.length - 1)] ?? 0
    noteBreak(job, item)
    item.attempts += 1
    item.state = 'retrying'
    item.reason = reason
    item.timer = setTimeout(() => this.again(job, item), waitMs)
  }

  private again(job: Job, item: Item) {
    if (item.timer) clearTimeout(item.timer)
    item.timer = null
    this.begin(job, item)
    this.options.onChange()
  }
}

function fail(job: Job, item: Item, reason: Reason) {
  job.begun.delete(item)
  discount(job, item)
  item.state = 'failed'
  item.reason = reason
  job.failed.push(item)
}

const slotsOf = (job: Job) => [...job.begun].filter((item) => item.state !== 'paused').length
