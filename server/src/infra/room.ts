/**
 * Room on the disk of `DATA_DIR`: a reserve that uploads and runs leave alone, so that the database, sign-in and deleting
 * go on. Knows no feature.
 */
import { statfs } from 'node:fs/promises'
import { room as limits } from '@neuroloom/contract/limits'
import { Failure, fail } from '../http/fail.ts'
import { sqlState } from './db.ts'

export type RoomLeft = {
  freeBytes: number
  totalBytes: number
  /** Below this nothing new is taken in. */
  reserveBytes: number
}

export type Room = {
  left(): Promise<RoomLeft>
  /** Refuses as `disk_full` what would leave less than the reserve. */
  require(bytes?: number): Promise<void>
  /** Whether `require` would let it pass. */
  has(bytes?: number): Promise<boolean>
}

type Disk = { freeBytes: number; totalBytes: number }
type Options = {
  folder: string
  /** Absent: the larger of 2 GB and 2 % of the disk. */
  minFreeBytes: number | undefined
  /** Asks the system; tests answer in its place. */
  probe?: (folder: string) => Promise<Disk>
  /** How long its answer counts. */
  knownMs?: number
}

export function createRoom(options: Options): Room {
  const { folder, minFreeBytes, probe = askSystem, knownMs = limits.knownMs } = options
  let known: { at: number; disk: Promise<Disk> } | null = null

  const left = async (): Promise<RoomLeft> => {
    const now = performance.now()
    if (known === null || now - known.at > knownMs) known = { at: now, disk: probe(folder) }
    const disk = await known.disk.catch((error: unknown) => {
      known = null
      throw error
    })
    const reserveBytes = minFreeBytes ?? Math.max(limits.reserveBytes, limits.reserveShare * disk.totalBytes)
    return { ...disk, reserveBytes: Math.ceil(reserveBytes) }
  }

  const has = async (bytes = 0): Promise<boolean> => {
    const { freeBytes, reserveBytes } = await left()
    return freeBytes - bytes >= reserveBytes
  }

  return {
    left,
    has,
    async require(bytes) {
      if (!(await has(bytes))) throw fail('disk_full')
    },
  }
}

/** Free to us: systems keep some for themselves. */
async function askSystem(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** A write that failed for want of room, of a file or of the database, or that was not begun for it. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof Failure) return error.failure === 'disk_full'
  if (sqlState(error) === '53100') return true
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))
}
