import type { Challenge } from '@neuroloom/contract/accounts/accounts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export type Puzzle = Pick<Challenge, 'salt' | 'target' | 'maxNumber'>

/** Finds the hidden number. Own hashing, because browsers offer theirs on secure pages only. */
export function solve({ salt, target, maxNumber }: Puzzle): number {
  const salted = sha256.create().update(utf8ToBytes(salt))
  for (let number = 0; number <= maxNumber; number += 1) {
    const digest = salted
      .clone()
      .update(utf8ToBytes(String(number)))
      .digest()
    if (bytesToHex(digest) === target) return number
  }
  throw new Error('The puzzle has no solution')
}
