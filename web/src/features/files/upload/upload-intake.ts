/** What happens to an upload before a byte flows: cleaned, packed or looked at, announced. It sends nothing itself. */

import type { Answer, Body } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import type { Picked } from './picked-files.ts'
import { isOpen, type Job } from './upload-job.ts'
import type { Look } from './upload-look.ts'
import type { Reason } from './upload-send.ts'

export type StepOptions = { signal: AbortSignal; onProgress: (share: number) => void }
/** What happens in the browser before a byte flows. */
export type Steps = {
  pack: (picked: Picked[], name: string, options: StepOptions) => Promise<File>
  look: (picked: Picked[], options: StepOptions) => Promise<Look>
  clean: (
    picked: Picked[],
    options: StepOptions,
  ) => Promise<{ files: Picked[]; refused: { path: string; reason: Reason }[] }>
}

export type IntakeOptions = {
  prepare: (body: Body<'files/prepare'>) => Promise<Answer<'files/prepare'>>
  reasonOf: (error: unknown) => Reason
  steps: Partial<Steps>
  /** Something to be seen has changed; `soon` for what changes often. */
  onChange: (pace: 'now' | 'soon') => void
  /** The server knows of it now. */
  onAnnounced: (job: Job, answer: Answer<'files/prepare'>) => void
  /** Given up while the answer was on its way: what it reserved is to be returned. */
  onStale: (answer: Answer<'files/prepare'>) => void
  /** Nothing of it is left to send. */
  onNothing: (job: Job) => void
}

export class UploadIntake {
  private readonly options: IntakeOptions

  constructor(options: IntakeOptions) {
    this.options = options
  }

  /** Packs, and looks at what was chosen; problems and archives are asked about before a byte flows. */
  async getReady(job: Job) {
    const { pack, look } = this.options.steps
    try {
      if (job.packedName && pack) {
        // Before they are packed: nobody looks into the archive afterwards.
        await this.clean(job)
        if (job.picked.length === 0) return this.options.onNothing(job)
        const file = await pack(job.picked, job.packedName, this.step(job, 'packing'))
        job.picked = [{ path: job.packedName, file }]
        job.totalFiles = 1
        job.unpack = 'packed'
      } else if (look) {
        job.look = await look(job.picked, this.step(job, 'looking'))
        const { findings, archives } = job.look
        if (findings.length > 0 || archives.length > 0) {
          job.state = 'choosing'
          return this.options.onChange('now')
        }
      }
      await this.cleanAndPrepare(job)
    } catch (error) {
      this.refuse(job, error)
    }
  }

  async cleanAndPrepare(job: Job) {
    try {
      if (!job.packedName) await this.clean(job)
      await this.prepare(job)
    } catch (error) {
      this.refuse(job, error)
    }
  }

  private async clean(job: Job) {
    const { clean } = this.options.steps
    if (!clean || job.picked.length === 0) return
    const cleaned = await clean(job.picked, this.step(job, 'cleaning'))
    job.picked = cleaned.files
    job.refused.push(...cleaned.refused)
  }

  /** What a step before sending is told and tells. */
  private step(job: Job, state: 'packing' | 'looking' | 'cleaning'): StepOptions {
    const { signal } = job.abort
    signal.throwIfAborted()
    job.state = state
    job.stepShare = 0
    this.options.onChange('now')
    const onProgress = (share: number) => {
      job.stepShare = share
      this.options.onChange('soon')
    }
    return { signal, onProgress }
  }

  private refuse(job: Job, error: unknown) {
    if (job.abort.signal.aborted || !isOpen(job)) return
    job.state = 'refused'
    job.reason = this.options.reasonOf(error)
    this.options.onChange('now')
  }

  async prepare(job: Job) {
    job.abort.signal.throwIfAborted()
    job.isReady = true
    job.state = 'preparing'
    job.reason = null
    this.options.onChange('now')
    const picked = withoutTooLarge(job)
    if (picked.length === 0) return this.options.onNothing(job)
    try {
      const answer = await this.options.prepare(announcementOf(job, picked))
      // Given up while the answer was on its way: return what it reserved.
      if (job.state !== 'preparing') return this.options.onStale(answer)
      if (answer.conflicts.length > 0) {
        job.state = 'asking'
        job.conflicts = answer.conflicts
        return this.options.onChange('now')
      }
      this.options.onAnnounced(job, answer)
    } catch (error) {
      if (job.state === 'preparing') this.refuse(job, error)
    }
  }
}

function announcementOf(job: Job, picked: Picked[]): Body<'files/prepare'> {
  return {
    parentId: job.parentId,
    sameName: 'ask',
    decisions: [...job.decisions].map(([path, sameName]) => ({ path, sameName })),
    files: picked.map(({ path, file }) => {
      const unpack = archiveKind(path) === null ? 'no' : job.unpack
      const encoding = job.encodings.get(path) ?? null
      return { path, sizeBytes: file.size, ...(unpack === 'no' ? {} : { unpack, encoding }) }
    }),
  }
}

function withoutTooLarge(job: Job) {
  const tooLarge = job.picked.filter(({ file }) => file.size > limits.fileBytes)
  job.refused.push(
    ...tooLarge.map(({ path }) => ({ path, reason: { name: 'file_too_large' as const, params: {} } })),
  )
  job.picked = job.picked.filter(({ file }) => file.size <= limits.fileBytes)
  return job.picked
}
