import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { queue } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { folderOf } from './folder.ts'

const FILE = 'engine.pid'
const LOOK_MS = 50

/** Notes which process writes in a run folder, for the worker that comes after a crash. */
export const rememberEngine = (folder: string, pid: number): Promise<void> =>
  writeFile(join(folder, FILE), String(pid))

export const forgetEngine = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true })

/**
 * Lets a dead worker's engine save itself: its input has closed, so it is writing a checkpoint and ends. One that does
 * not (its worker only sleeps, or it hangs) is killed: two may never write in one folder.
 */
export async function waitForEngine(ctx: Context, runId: string): Promise<void> {
  const path = join(folderOf(ctx, runId), FILE)
  const pid = Number(await readFile(path, 'utf8').catch(() => '0'))
  const deadline = performance.now() + queue.killMs
  while (await isEngine(pid)) {
    if (performance.now() > deadline) {
      ctx.log.warn({ run: runId, pid }, 'an earlier attempt does not end; killed')
      kill(pid)
    }
    await sleep(LOOK_MS)
  }
  await rm(path, { force: true })
}

/** Whether this is still that process and not another with its number. Where that cannot be told, the folder lock decides. */
async function isEngine(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false
  const [command, status] = await Promise.all(
    ['cmdline', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  const isZombie = / Z /.test(status ?? '')
  return (command ?? '').includes('neuroloom_engine') && !isZombie
}

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
