/** Has files worked on by light engine processes (no PyTorch) and survives those that crash or hang the program. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineEvent, RunSpec } from '@neuroloom/contract/engine'
import { newId } from '../ids.ts'
import { type EngineSettings, spawnEngine } from './process.ts'

type Rounds<File extends { id: string }> = {
  settings: EngineSettings
  workFolder: string
  files: File[]
  /** What is asked of the engine for these files. */
  specOf: (files: File[]) => RunSpec
  /** Files that the engine may be at in one moment: it is ahead of what it tells by at most so many. */
  window: number
  /** A program that is silent for longer hangs on a file. */
  fileMs: number
  /** Events one after the other; those that tell of a file. */
  onEvent: (event: EngineEvent & { id: string }, folder: string) => Promise<void> | void
  /** Of a file that ended the program that was at it alone. */
  onCulprit: (file: File) => Promise<void> | void
  signal?: AbortSignal | undefined
}

export async function inRounds<File extends { id: string }>(rounds: Rounds<File>): Promise<void> {
  await sweepOld(rounds.workFolder)
  let waiting = rounds.files
  while (waiting.length > 0) {
    const left = await oneRound({ ...rounds, files: waiting })
    // Several files are worked on at once, so a crash does not tell whose fault it was. One at a time, it does.
    const culprit = await findCulprit(rounds, left.slice(0, rounds.window))
    waiting = left.slice(culprit === null ? rounds.window : left.indexOf(culprit) + 1)
  }
}

/** Gives each suspect a process of its own until one breaks it. */
async function findCulprit<File extends { id: string }>(
  rounds: Rounds<File>,
  suspects: File[],
): Promise<File | null> {
  for (const suspect of suspects) {
    const left = await oneRound({ ...rounds, files: [suspect] })
    if (left.length === 0) continue
    rounds.settings.log.warn({ file: suspect.id }, 'a file ended the program that read it')
    await rounds.onCulprit(suspect)
    return suspect
  }
  return null
}

/** One process over these files; answers those that it did not get to before it broke off. */
async function oneRound<File extends { id: string }>(rounds: Rounds<File>): Promise<File[]> {
  const folder = join(rounds.workFolder, newId())
  try {
    await mkdir(join(folder, 'out'), { recursive: true })
    await writeFile(join(folder, 'run.json'), JSON.stringify(rounds.specOf(rounds.files)))
    return await workThrough(folder, rounds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function workThrough<File extends { id: string }>(
  folder: string,
  { settings, files, fileMs, onEvent, signal: givenUp }: Rounds<File>,
): Promise<File[]> {
  const seen = new Set<string>()
  const child = spawnEngine(settings, ['check'])
  const watchdog = createWatchdog(fileMs, () => child.kill())
  givenUp?.addEventListener('abort', child.kill, { once: true })
  if (givenUp?.aborted) child.kill()
  child.give(folder, async (event: EngineEvent) => {
    if (!('id' in event) || seen.has(event.id)) return
    watchdog.pat()
    seen.add(event.id)
    await onEvent(event, folder)
  })
  const { end, signal, lastWords } = await child.exited.finally(() => {
    watchdog.rest()
    givenUp?.removeEventListener('abort', child.kill)
  })
  givenUp?.throwIfAborted()
  const left = files.filter((file) => !seen.has(file.id))
  // Only a crash is a file's fault. A program that ends by itself (Python missing, disk full) would do so for each file.
  if (left.length > 0 && (signal === null || end !== null))
    throw new Error(`The engine broke off: ${lastWords}`)
  return left
}

/** No check, look or preparation takes longer: such a folder was left by a worker that died. */
const OLD_MS = 6 * 3_600_000

export async function sweepOld(workFolder: string): Promise<void> {
  for (const name of await readdir(workFolder).catch(() => [])) {
    const entry = await stat(join(workFolder, name)).catch(() => null)
    if (entry && entry.mtimeMs < Date.now() - OLD_MS) {
      await rm(join(workFolder, name), { recursive: true, force: true })
    }
  }
}

/** Bites when nobody pats it for as long as one file may take. */
function createWatchdog(fileMs: number, bite: () => void): { pat: () => void; rest: () => void } {
  let timer = setTimeout(bite, fileMs)
  return {
    pat() {
      clearTimeout(timer)
      timer = setTimeout(bite, fileMs)
    },
    rest: () => clearTimeout(timer),
  }
}
