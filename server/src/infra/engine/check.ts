/** Has files read as training would read them: what they are, or why they cannot be used. */
import { join } from 'node:path'
import type { FileFacts, FileRole, Mix } from '@neuroloom/contract/engine'
import type { FileReason } from '@neuroloom/contract/file-reasons'
import { images } from '@neuroloom/contract/limits'
import type { EngineSettings } from './process.ts'
import { inRounds } from './rounds.ts'

/** `id` names the thumbnail too: letters, digits, `-` and `_` only. `path` is absolute. */
export type CheckFile = {
  id: string
  path: string
  role: FileRole
  /** What else the mask is made of. */
  mix?: Mix
}

/** `thumbnailSize` 0 = none. */
export type CheckOptions = { thumbnailSize: number }

export type CheckedFile = {
  id: string
  /** Null when the file cannot be used: then `reason` says why. */
  facts: FileFacts | null
  reason: FileReason | null
  /** Path of the thumbnail while `onFile` runs, for it to move away; null when none was asked for or made. */
  thumbnail: string | null
  /** Path of the mask that was made of several, in the same way. */
  made: string | null
}

type Check = {
  settings: EngineSettings
  workFolder: string
  files: CheckFile[]
  options: CheckOptions
  onFile: (file: CheckedFile) => Promise<void> | void
}

/** Files that the engine may be reading at one moment. */
const WINDOW = 16

export async function checkFiles({ settings, workFolder, files, options, onFile }: Check): Promise<void> {
  const mixed = new Set(files.flatMap(({ id, mix }) => (mix ? [id] : [])))
  await inRounds({
    settings,
    workFolder,
    files,
    window: WINDOW,
    fileMs: images.readMs,
    specOf: (some) => ({
      v: 1,
      kind: 'check',
      run: 'check',
      attempt: 1,
      outputs: 'out',
      maxPixels: images.maxPixels,
      thumbnailSize: options.thumbnailSize,
      files: some,
    }),
    onEvent: async (event, folder) => {
      if (event.type !== 'file') return
      const { id, facts, reason } = event
      const hasThumbnail = facts !== null && options.thumbnailSize > 0
      await onFile({
        ...{ id, facts, reason },
        thumbnail: hasThumbnail ? join(folder, 'out', 'thumbnails', `${id}.webp`) : null,
        made: facts !== null && mixed.has(id) ? join(folder, 'out', 'made', id) : null,
      })
    },
    onCulprit: ({ id }) => onFile({ id, facts: null, reason: 'not_an_image', thumbnail: null, made: null }),
  })
}
