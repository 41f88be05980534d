/** Does what the page does while somebody drags the slider. */
import { createHash } from 'node:crypto'
import type { Challenge, ChallengePurpose } from '@neuroloom/contract/accounts'
import type { TestServer } from './harness.ts'

export async function drag(server: TestServer, purpose: ChallengePurpose = 'login'): Promise<string> {
  const { data } = await server.call('user/challenge', { purpose })
  return solve(data)
}

/** The solved puzzle as `user/login` takes it. */
export function solve({ salt, target, maxNumber, expiresAt, signature }: Challenge): string {
  for (let number = 0; number <= maxNumber; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') !== target) continue
    return JSON.stringify({ salt, target, expiresAt, signature, number })
  }
  throw new Error('The puzzle has no solution')
}
