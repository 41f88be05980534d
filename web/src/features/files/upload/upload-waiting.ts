/** Uploads of this member that began elsewhere: before a reload, a sign-in, or in another browser. */
import type { Answer } from '@neuroloom/contract/calls'
import type { UnfinishedBatch, UnfinishedFile } from '@neuroloom/contract/uploads'
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
  /** Upload numbers that go on already. */
  going: ReadonlySet<string>
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
        const open = await openFilesOf(waiting)
        const found = await findAgain(waiting, open, picked)
        const missing = open.length - found.length
        if (found.length === 0) return note(batch, { isBusy: false, missing })
        uploads.goOn(waiting.batch, waiting.name, found)
        if (missing === 0) return drop(batch)
        const going = new Set([...waiting.going, ...found.map(({ upload }) => upload)])
        note(batch, { isBusy: false, missing, handles: null, going })
      } catch {
        // A line that is down, or a file that cannot be read: the batch waits on.
        note(batch, { isBusy: false, missing: openCount(waiting) })
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
      if (waiting.going.size === 0) await call('files/cancelBatch', { batch })
      else await call('files/cancel', { uploads: (await openFilesOf(waiting)).map(({ upload }) => upload) })
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
      const { openPath, packed } = batch
      return {
        batch,
        name: openPath.split('/')[0] ?? '',
        isFolder: openPath.includes('/'),
        packed,
        handles: kept.get(batch.batch)?.handles ?? null,
        missing: 0,
        going: new Set(),
        isBusy: false,
      }
    })
}

/** Files that wait for their bytes; those that go on already are none of them. */
export const openCount = ({ batch, going }: WaitingBatch): number =>
  batch.totalFiles - batch.doneFiles - going.size

async function openFilesOf({ batch: { batch }, going }: WaitingBatch): Promise<UnfinishedFile[]> {
  const files: UnfinishedFile[] = []
  let after: string | null = null
  do {
    const page: Answer<'files/unfinishedFiles'> = await call(
      'files/unfinishedFiles',
      { batch, after },
      { quiet: true },
    )
    files.push(...page.files.filter(({ upload }) => !going.has(upload)))
    after = page.next
  } while (after !== null)
  return files
}

const noSteps = () => ({ signal: new AbortController().signal, onProgress: () => undefined })

/** Treated and packed as the first time, so that the bytes are the same; then by path, size and what has arrived. */
async function findAgain(
  { packed }: WaitingBatch,
  open: readonly UnfinishedFile[],
  picked: Picked[],
): Promise<FoundFile[]> {
  const { files: cleaned } = await clean(withoutClutter(picked), noSteps())
  const files = packed === null ? cleaned : [{ path: packed, file: await pack(cleaned, packed) }]
  const byPath = new Map(files.map(({ path, file }) => [path, file]))
  const found: FoundFile[] = []
  for (const { upload, path, sizeBytes, receivedBytes } of open) {
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
