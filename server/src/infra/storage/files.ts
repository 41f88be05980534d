/** What every store does with files of this machine. Knows no store. */
import { copyFile, link, open } from 'node:fs/promises'

/** A hard link; where the disk has none, a copy. */
export async function linkOrCopy(path: string, targetPath: string): Promise<void> {
  try {
    await link(path, targetPath)
  } catch (error) {
    if (!isCode(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP')) throw error
    await copyFile(path, targetPath)
  }
}

/** Flushes a file's bytes, or a folder's names, to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A new file whose bytes are on the disk when it returns; its name is not. */
export async function writeLasting(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Every name a store is given passes here, so that none leads anywhere else. */
export function checkDigest(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a SHA-256: ${sha256.slice(0, 80)}`)
}

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
