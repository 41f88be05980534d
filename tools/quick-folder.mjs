/**
 * Where tests keep their files while they run. A disk takes up to fifteen times as long to make a file as memory does, and
 * each database alone has a thousand and more: so in memory, where there is plenty of it.
 */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** What statfs calls a folder that lies in memory. */
const IN_MEMORY = 0x01021994
const GIGABYTE = 1024 ** 3
/** Tests keep two or three of them at a time, and their programs want some besides. */
const WANTED_BYTES = 6 * GIGABYTE
const WANTED_FREE_BYTES = 10 * GIGABYTE

/** For this process and all that it starts, until it ends. Whoever set TMPDIR has chosen. */
export function useQuickFolder() {
  if (process.env.TMPDIR || !isFit()) return
  // Numbers of processes are alike only within one of their worlds, of which several may share this folder.
  const own = `neuroloom-${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}-`
  for (const name of readdirSync(MEMORY)) {
    if (name.startsWith(own) && !isAlive(Number(name.slice(own.length)))) remove(join(MEMORY, name))
  }
  const folder = join(MEMORY, `${own}${process.pid}`)
  // PostgreSQL passes through it as another user.
  mkdirSync(folder, { mode: 0o711 })
  process.env.TMPDIR = folder
  process.once('exit', () => remove(folder))
}

function isFit() {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    const [, , , options = ''] =
      readFileSync('/proc/self/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .findLast(([, place]) => place === MEMORY) ?? []
    return (
      type === IN_MEMORY &&
      bavail * bsize >= WANTED_BYTES &&
      // Of a container the second is less: what lies in memory counts against its limit.
      Math.min(freemem(), process.availableMemory()) >= WANTED_FREE_BYTES &&
      // Tests write small programs there.
      !options.split(',').some((option) => option === 'noexec' || option === 'ro')
    )
  } catch {
    return false
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** What is still written to meanwhile goes with the next run. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}
