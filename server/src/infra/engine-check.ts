/** Has files read by light engine processes (no PyTorch) and survives those that crash or hang the reader. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineEvent, FileFacts, FileReason, RunSpec } from '@neuroloom/contract/engine'
import { images } from '@neuroloom/contract/limits'
import { type EngineSettings, spawnEngine } from './engine-process.ts'
import { newId } from './ids.ts'

/** `id` names the thumbnail too: letters, digits, `-` and `_` only. `path` is absolute. */
export type CheckFile = { id: string; path: string; role: 'image' | 'mask' }

/** `thumbnailSize` 0 = none. */
export type CheckOptions = { thumbnailSize: number }

export type CheckedFile = {
  id: string
  /** Null when the file cannot be used: then `reason` says why. */
  facts: FileFacts | null
  reason: FileReason | null
  /** Path of the thumbnail while `onFile` runs, for it to move away; null when none was asked for or made. */
  thumbnail: string | null
}

type Check = {
  settings: EngineSettings
  workFolder: string
  files: CheckFile[]
  options: CheckOptions
  onFile: (file: CheckedFile) => Promise<void> | void
}

type Round = Check & { folder: string }

export async function checkFiles(check: Check): Promise<void> {
  let files = check.files
  while (files.length > 0) {
    const folder = join(check.workFolder, newId())
    try {
      files = await checkRound({ ...check, files, folder })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** One process over all files; what is left over when it broke off, without the file that broke it. */
async function checkRound(round: Round): Promise<CheckFile[]> {
  const { settings, folder, files, options, onFile } = round
  await layOut(round)
  const seen = new Set<string>()
  const thumbnailOf = (id: string): string | null =>
    options.thumbnailSize > 0 ? join(folder, 'out', 'thumbnails', `${id}.webp`) : null

  const child = spawnEngine(settings, ['run', folder])
  const watchdog = createWatchdog(() => child.kill())
  child.give(null, async (event: EngineEvent) => {
    if (event.type !== 'file' || seen.has(event.id)) return
    watchdog.pat()
    seen.add(event.id)
    const { id, facts, reason } = event
    await onFile({ id, facts, reason, thumbnail: facts === null ? null : thumbnailOf(id) })
  })
  const { end, signal, lastWords } = await child.exited.finally(watchdog.rest)

  const left = files.filter((file) => !seen.has(file.id))
  if (end?.state === 'done' || left.length === 0) return []
  // Only a crash is a file's fault. A program that ends by itself (Python missing, no space) would do so for each file.
  if (signal === null) throw new Error(`The check broke off: ${lastWords}`)
  const [culprit, ...others] = left
  if (!culprit) return []
  settings.log.warn({ file: culprit.id, lastWords }, 'a file ended the program that read it')
  await onFile({ id: culprit.id, facts: null, reason: 'not_an_image', thumbnail: null })
  return others
}

async function layOut({ folder, files, options }: Round): Promise<void> {
  const spec: RunSpec = {
    v: 1,
    kind: 'check',
    run: 'check',
    attempt: 1,
    outputs: 'out',
    maxPixels: images.maxPixels,
    thumbnailSize: options.thumbnailSize,
    files,
  }
  await mkdir(join(folder, 'out'), { recursive: true })
  await writeFile(join(folder, 'run.json'), JSON.stringify(spec))
}

/** Bites when nobody pats it for as long as one file may take. */
function createWatchdog(bite: () => void): { pat: () => void; rest: () => void } {
  let timer = setTimeout(bite, images.readMs)
  return {
    pat() {
      clearTimeout(timer)
      timer = setTimeout(bite, images.readMs)
    },
    rest: () => clearTimeout(timer),
  }
}
