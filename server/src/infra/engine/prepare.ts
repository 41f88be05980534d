/** Has files made of files by recipes and the like, one light engine process over many of them. */
import { join } from 'node:path'
import type { PrepareSpec } from '@neuroloom/contract/engine'
import { images, recipes as limits } from '@neuroloom/contract/limits'
import type { PreparedFile, PrepareReason } from '@neuroloom/contract/recipes/recipe'
import type { EngineSettings } from './process.ts'
import { inRounds } from './rounds.ts'

/** Paths are absolute. */
export type PrepareFile = PrepareSpec['files'][number]

export type Prepared = {
  id: string
  reason: PrepareReason | null
  before: { width: number; height: number } | null
  /** Paths are absolute and good while `onFile` runs, for it to move what lies there. */
  made: PreparedFile[]
}

type Preparing = {
  settings: EngineSettings
  workFolder: string
  work: PrepareSpec['work']
  files: PrepareFile[]
  signal: AbortSignal
  onFile: (file: Prepared) => Promise<void>
}

/** Files that the engine may be at in one moment (engine: `AHEAD`, of 4 threads at most). */
const WINDOW = 16

export async function prepareFiles({ work, onFile, ...rest }: Preparing): Promise<void> {
  await inRounds({
    ...rest,
    window: WINDOW,
    fileMs: limits.fileMs,
    specOf: (files) => ({
      v: 1,
      kind: 'prepare',
      run: 'prepare',
      attempt: 1,
      outputs: 'out',
      maxPixels: images.maxPixels,
      memoryBytes: limits.memoryBytes,
      work,
      files,
    }),
    onEvent: async (event, folder) => {
      if (event.type !== 'prepared') return
      const made = event.made.map((one) => ({ ...one, path: join(folder, one.path) }))
      await onFile({ id: event.id, reason: event.reason, before: event.before, made })
    },
    onCulprit: ({ id }) =>
      onFile({ id, reason: { name: 'not_prepared', params: {} }, before: null, made: [] }),
  })
}
