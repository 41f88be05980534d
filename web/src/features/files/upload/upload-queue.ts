/** Sends the files of all uploads a few at a time and tries again; it announces nothing and shows nothing. */
import { files as limits, uploads as pacing } from '@neuroloom/contract/limits'
import type { SendMany } from './upload-bundle.ts'
import { discount, hasUnsent, type Item, type Job, noteBreak, noteProgress } from './upload-job.ts'
import type { Outcome, Reason, Sending, SendRequest } from './upload-send.ts'

type Options = {
  send: (request: SendRequest) => Sending
  /** Small files together; a queue without it sends each by itself. */
  sendMany?: SendMany | undefined
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
        const items = this.takeNext(job)
        if (items.length === 0) break
        this.begin(job, items)
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

  /** The next file, and as many small ones behind it as one request takes. */
  private takeNext(job: Job): Item[] {
    const [first] = job.waiting
    if (first === undefined) return []
    let count = 1
    if (this.options.sendMany !== undefined && isBundled(first)) {
      let bytes = first.file.size
      for (const item of job.waiting.slice(1, pacing.bundleFiles)) {
        bytes += item.file.size
        if (!isBundled(item) || bytes > pacing.bundleBytes) break
        count += 1
      }
    }
    return job.waiting.splice(0, count)
  }

  private begin(job: Job, items: readonly Item[]) {
    const requests = items.map((item) => this.requestOf(job, item))
    const { send, sendMany } = this.options
    const isBundle = sendMany !== undefined && items.length > 1
    const sendings = isBundle ? sendMany(requests) : requests.map(send)
    const bundle = isBundle ? {} : null
    for (const [index, item] of items.entries()) {
      const sending = sendings[index]
      if (sending) this.follow(job, item, { sending, bundle })
    }
  }

  private requestOf(job: Job, item: Item): SendRequest {
    item.state = 'sending'
    item.reason = null
    job.begun.add(item)
    const attempt = {}
    item.attempt = attempt
    return {
      file: item.file,
      upload: item.upload,
      location: item.location,
      onProgress: (bytes) => {
        if (item.sending === null || item.attempt !== attempt) return
        noteProgress(job, item, bytes)
        this.options.onChange()
      },
      onTaken: (bytes) => {
        item.takenBytes = bytes
      },
    }
  }

  private follow(job: Job, item: Item, { sending, bundle }: { sending: Sending; bundle: object | null }) {
    const before = item.takenBytes
    item.sending = sending
    item.bundle = bundle
    sending.outcome.then((outcome) => {
      // Halted meanwhile: another attempt, or none, has taken its place.
      if (item.sending !== sending) return
      item.location = sending.location()
      item.sending = null
      item.bundle = null
      if (item.takenBytes > before) item.attempts = 0
      if (bundle !== null && outcome.kind !== 'done') this.sendAlone(job, item)
      else this.end(job, item, outcome)
    })
  }

  /** What did not come through with others is sent by itself, which can also say why it is refused. */
  private sendAlone(job: Job, item: Item) {
    item.goesAlone = true
    this.requeue(job, item)
    this.options.onChange()
    this.pump()
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
    this.begin(job, [item])
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

const isBundled = ({ file, goesAlone, location }: Item): boolean =>
  !goesAlone && location === null && file.size <= pacing.bundledFileBytes

/** Files that go together take one. */
const slotsOf = (job: Job): number =>
  new Set([...job.begun].filter(({ state }) => state !== 'paused').map((item) => item.bundle ?? item)).size
