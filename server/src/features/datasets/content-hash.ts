import { createHash } from 'node:crypto'
import type { FileBelow } from '../files/service.ts'

/** Equal for folders with the same names and bytes. */
export function contentHashOf({ files }: { files: FileBelow[] }): string {
  const hash = createHash('sha256')
  for (const { path, sha256 } of files) hash.update(`${path}\0${sha256}\n`)
  return hash.digest('hex')
}
