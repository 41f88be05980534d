/** Brings all bytes of one store into another and reads them back there. Deletes nothing, and may be run again. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sideBySide } from '../side-by-side.ts'
import { isCode } from './files.ts'
import type { Storage } from './storage.ts'

export type Copied = {
  sent: number
  /** Were there before. */
  known: number
  /** Not what their names say already where they came from; they stay behind. */
  damaged: string[]
}

const AT_ONCE = 8
const SAID_EVERY = 1000

export async function copyAll(from: Storage, to: Storage, say: (line: string) => void): Promise<Copied> {
  const copied: Copied = { sent: 0, known: 0, damaged: [] }
  await sideBySide(from.all(), AT_ONCE, async ({ sha256 }) => {
    const outcome = await copyOne(from, to, sha256)
    if (outcome === 'damaged') copied.damaged.push(sha256)
    else copied[outcome] += 1
    const count = copied.sent + copied.known
    if (count % SAID_EVERY === 0 && count > 0) say(`${count} …`)
  })
  return copied
}

async function copyOne(from: Storage, to: Storage, sha256: string): Promise<'sent' | 'known' | 'damaged'> {
  if (await holds(to, sha256)) return 'known'
  if (!(await holds(from, sha256))) return 'damaged'
  const staged = join(to.stagingFolder, `copy-${sha256}`)
  try {
    // A killed run may have left it.
    await rm(staged, { force: true })
    await from.linkInto(sha256, staged)
    await to.adopt(staged, sha256)
  } finally {
    await rm(staged, { force: true })
  }
  if (!(await holds(to, sha256))) throw new Error(`What was read back is not what was sent: ${sha256}`)
  return 'sent'
}

/** Whether all bytes are there, and are these. */
async function holds(storage: Storage, sha256: string): Promise<boolean> {
  try {
    return (await digestOf(storage.read(sha256))) === sha256
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

async function digestOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}
