/** Has files read by light engine processes (no PyTorch) and survives those that crash or hang the reader. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineEvent, FileFacts, FileReason, FileRole, Mix, RunSpec } from '@neuroloom/contract/engine'
import { images } from '@neuroloom/contract/limits'
import { newId } from '../ids.ts'
import { type EngineSettings, spawnEngine } from './process.ts'

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

/** Files that the engine may be reading at one moment: it reads ahead of what it reports by at most one window. */
const WINDOW = 16

export async function checkFiles(check: Check): Promise<void> {
  await sweepOld(check.workFolder)
  let waiting = check.files
  while (waiting.length > 0) {
    const left = await checkRound({ ...check, files: waiting })
    // Several files are read at once, so a crash does not tell whose fault it was. One at a time, it does.
    const culprit = await findCulprit(check, left.slice(0, WINDOW))
    waiting = left.slice(culprit === null ? WINDOW : left.indexOf(culprit) + 1)
  }
}

/** Reads each suspect in a process of its own until one breaks it; that one is told as no image. */
async function findCulprit(check: Check, suspects: CheckFile[]): Promise<CheckFile | null> {
  for (const suspect of suspects) {
    const left = await checkRound({ ...check, files: [suspect] })
    if (left.length === 0) continue
    check.settings.log.warn({ file: suspect.id }, 'a file ended the program that read it')
    await check.onFile({ id: suspect.id, facts: null, reason: 'not_an_image', thumbnail: null, made: null })
    return suspect
  }
  return null
}

/** One process over these files; answers those that it did not get to before it broke off. */
async function checkRound(check: Check): Promise<CheckFile[]> {
  const folder = join(check.workFolder, newId())
  try {
    await layOut(folder, check)
    return await readAll(folder, check)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readAll(folder: string, { settings, files, options, onFile }: Check): Promise<CheckFile[]> {
  const seen = new Set<string>()
  const thumbnailOf = (id: string): string | null =>
    options.thumbnailSize > 0 ? join(folder, 'out', 'thumbnails', `${id}.webp`) : null

  const mixed = new Set(files.flatMap(({ id, mix }) => (mix ? [id] : [])))
  const child = spawnEngine(settings, ['check'])
  const watchdog = createWatchdog(() => child.kill())
  child.give(folder, async (event: EngineEvent) => {
    if (event.type !== 'file' || seen.has(event.id)) return
    watchdog.pat()
    seen.add(event.id)
    const { id, facts, reason } = event
    const isMade = facts !== null && mixed.has(id)
    await onFile({
      ...{ id, facts, reason, thumbnail: facts === null ? null : thumbnailOf(id) },
      made: isMade ? join(folder, 'out', 'made', id) : null,
    })
  })
  const { end, signal, lastWords } = await child.exited.finally(watchdog.rest)
  const left = files.filter((file) => !seen.has(file.id))
  // Only a crash is a file's fault. A program that ends by itself (Python missing, disk full) would do so for each file.
  if (left.length > 0 && (signal === null || end !== null))
    throw new Error(`The check broke off: ${lastWords}`)
  return left
}

/** No check or look takes longer: such a folder was left by a worker that died. */
const OLD_MS = 6 * 3_600_000

export async function sweepOld(workFolder: string): Promise<void> {
  for (const name of await readdir(workFolder).catch(() => [])) {
    const entry = await stat(join(workFolder, name)).catch(() => null)
    if (entry && entry.mtimeMs < Date.now() - OLD_MS) {
      await rm(join(workFolder, name), { recursive: true, force: true })
    }
  }
}

async function layOut(folder: string, { files, options }: Check): Promise<void> {
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
