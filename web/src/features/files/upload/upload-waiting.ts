/** Uploads of this member that began elsewhere: before a reload, a sign-in, or in another browser. */
import type { UnfinishedBatch } from '@neuroloom/contract/uploads'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { refreshPaths } from '../../../lib/query.ts'
import * as session from '../../../lib/session.ts'
import { pack } from './pack.ts'
import { type Picked, withoutClutter } from './picked-files.ts'
import { filesOf, mayRead } from './picked-handles.ts'
import { forget, recall } from './upload-memory.ts'
import { sameSoFar } from './upload-same.ts'
import type { FoundFile } from './upload-store.ts'
import { batchesElsewhere } from './upload-tabs.ts'
import { clean, uploads } from './uploads.ts'

export type WaitingBatch = {
  batch: UnfinishedBatch
  name: string
  isFolder: boolean
  /** The archive that loose files were packed into; null otherwise. */
  packed: string | null
  /** This browser knows where the files lie; null where they must be chosen again. */
  handles: FileSystemHandle[] | null
  /** Files of it that were not among those chosen last. */
  missing: number
  isBusy: boolean
}

export type Waiting = {
  batches: readonly WaitingBatch[]
  /** By the handles that this browser kept; the browser may ask. */
  goOn: (batch: string) => Promise<void>
  /** With files chosen again. */
  goOnWith: (batch: string, picked: Picked[]) => Promise<void>
  giveUp: (batch: string) => Promise<void>
}

export function useWaiting(): Waiting {
  const [batches, setBatches] = useState<readonly WaitingBatch[]>([])
  const userId = session.useUser()?.id ?? null
  const queries = useQueryClient()
  const note = useCallback(
    (batch: string, change: Partial<WaitingBatch>) =>
      setBatches((all) => all.map((one) => (one.batch.batch === batch ? { ...one, ...change } : one))),
    [],
  )
  const drop = useCallback(
    (batch: string) => setBatches((all) => all.filter((one) => one.batch.batch !== batch)),
    [],
  )
  const goOnWith = useCallback(
    async (waiting: WaitingBatch, picked: Picked[]) => {
      const { batch } = waiting.batch
      note(batch, { isBusy: true })
      try {
        const found = await findAgain(waiting, picked)
        const missing = waiting.batch.files.length - found.length
        if (found.length === 0) return note(batch, { isBusy: false, missing })
        uploads.goOn(waiting.batch, waiting.name, found)
        if (missing === 0) return drop(batch)
        const known = new Set(found.map(({ upload }) => upload))
        const files = waiting.batch.files.filter(({ upload }) => !known.has(upload))
        note(batch, { isBusy: false, missing, handles: null, batch: { ...waiting.batch, files } })
      } catch {
        // A line that is down, or a file that cannot be read: the batch waits on.
        note(batch, { isBusy: false, missing: waiting.batch.files.length })
      }
    },
    [note, drop],
  )

  useEffect(() => {
    if (userId === null) return setBatches([])
    let isCurrent = true
    const load = async () => {
      const found = await waitingOf(userId)
      if (!isCurrent) return
      setBatches(found)
      for (const waiting of found) {
        if (waiting.handles && (await mayRead(waiting.handles, { ask: false })))
          await goOnWith(waiting, await filesOf(waiting.handles))
      }
    }
    // Told again with the next page load; nothing is lost by it.
    load().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [userId, goOnWith])

  const find = (batch: string) => batches.find((one) => one.batch.batch === batch)
  return {
    batches,
    goOn: async (batch) => {
      const waiting = find(batch)
      if (!waiting?.handles) return
      if (await mayRead(waiting.handles, { ask: true }).catch(() => false))
        await goOnWith(waiting, await filesOf(waiting.handles))
      else note(batch, { handles: null })
    },
    goOnWith: async (batch, picked) => {
      const waiting = find(batch)
      if (waiting) await goOnWith(waiting, picked)
    },
    giveUp: async (batch) => {
      const waiting = find(batch)
      if (!waiting) return
      await call('files/cancel', { uploads: waiting.batch.files.map(({ upload }) => upload) })
      await forget(batch)
      drop(batch)
      refreshPaths(queries, ['user/size'])
    },
  }
}

async function waitingOf(userId: string): Promise<WaitingBatch[]> {
  const { batches } = await call('files/unfinished', {}, { quiet: true })
  if (batches.length === 0) return []
  const [kept, elsewhere] = await Promise.all([recall(userId), batchesElsewhere()])
  const here = uploads.batches()
  return batches
    .filter(({ batch }) => !elsewhere.has(batch) && !here.has(batch))
    .map((batch) => {
      const first = batch.files[0]
      const top = first?.path.split('/')[0] ?? ''
      const packed = batch.files.find(({ unpack }) => unpack === 'packed')?.path ?? null
      return {
        batch,
        name: top,
        isFolder: first?.path.includes('/') ?? false,
        packed,
        handles: kept.get(batch.batch)?.handles ?? null,
        missing: 0,
        isBusy: false,
      }
    })
}

const noSteps = () => ({ signal: new AbortController().signal, onProgress: () => undefined })

/** Treated and packed as the first time, so that the bytes are the same; then by path, size and what has arrived. */
async function findAgain({ batch, packed }: WaitingBatch, picked: Picked[]): Promise<FoundFile[]> {
  const { files: cleaned } = await clean(withoutClutter(picked), noSteps())
  const files = packed === null ? cleaned : [{ path: packed, file: await pack(cleaned, packed) }]
  const byPath = new Map(files.map(({ path, file }) => [path, file]))
  const found: FoundFile[] = []
  for (const { upload, path, sizeBytes, receivedBytes } of batch.files) {
    const file = byPath.get(path)
    if (file?.size !== sizeBytes) continue
    const ask = (number: string, fromBlock: number) =>
      call('files/received', { upload: number, fromBlock }, { quiet: true })
    found.push({
      path,
      file,
      upload,
      receivedBytes: receivedBytes > 0 ? await sameSoFar(file, upload, ask) : 0,
    })
  }
  return found
}
