import { randomInt } from 'node:crypto'
import { passwordProblem } from '@neuroloom/contract/accounts/form-rules'
import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'
import { fail } from '../../../http/fail.ts'

/** Argon2id (the library's default) with 19 MiB, two passes: the floor that password guides name. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More at once would starve everything else of processor time; more waiting could not be answered in time. */
const AT_ONCE = 2
const WAITING = 50

export const hash = (password: string): Promise<string> => inPool(() => argon2(normal(password), options))

/** Takes the same time for an account that does not exist (`null`) or has no password yet (empty). */
export async function verify(stored: string | null, password: string): Promise<boolean> {
  const against = stored || (await nobody())
  const matches = await inPool(() => argon2Verify(against, normal(password), options))
  return Boolean(stored) && matches
}

/** A password for people to copy once: 20 letters and digits without look-alikes, as good as one's own must be. */
export function draw(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const drawn = Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
  // One of twenty-odd has letters alone.
  return passwordProblem(drawn) === null ? drawn : draw()
}

/** The same typed characters are the same password, however a keyboard composes them. */
const normal = (password: string): string => password.normalize('NFKC')

let nobodysHash: Promise<string> | undefined
const nobody = (): Promise<string> => {
  nobodysHash ??= argon2('nobody has this password', options)
  return nobodysHash
}

let running = 0
const queue: (() => void)[] = []

async function inPool<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING) throw fail('busy')
    await new Promise<void>((resolve) => queue.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }
}
