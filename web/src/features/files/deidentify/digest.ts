/** SHA-256 of a stretch of bytes in small letters; by the browser's own means where they are to be had. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Source } from './source.ts'

/** The browser hashes ten times faster, but only what lies in memory as a whole, and only on a safe address. */
const wholeBytes = 512 * 1024 * 1024
const pieceBytes = 4 * 1024 * 1024

export async function digest(source: Source, start: number, end: number): Promise<string> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (subtle && end - start <= wholeBytes) {
    return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', source.read(start, end - start))))
  }
  const hash = sha256.create()
  for (let offset = start; offset < end; offset += pieceBytes) {
    hash.update(source.read(offset, Math.min(pieceBytes, end - offset)))
  }
  return bytesToHex(hash.digest())
}
