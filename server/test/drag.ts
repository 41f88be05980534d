/** Does what the page does while somebody drags the slider. */
import { createHash } from 'node:crypto'
import type { Challenge, ChallengePurpose } from '@neuroloom/contract/accounts/accounts'
import type { TestServer } from './harness.ts'

export async function drag(
  server: TestServer,
  purpose: ChallengePurpose = 'login',
  account = '',
  /** Behind a trusted proxy. */
  address?: string,
): Promise<string> {
  const response = await fetch(`${server.url}/AI/api/user/challenge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(address ? { 'x-forwarded-for': address } : {}) },
    body: JSON.stringify({ purpose, account }),
  })
  // The envelope of every answer.
  const { data } = (await response.json()) as { data: Challenge }
  return solve(data)
}

/** The solved puzzle as `user/login` takes it. */
export function solve({ salt, target, maxNumber, expiresAt, signature }: Challenge): string {
  for (let number = 0; number <= maxNumber; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') !== target) continue
    return JSON.stringify({ salt, target, maxNumber, expiresAt, signature, number })
  }
  throw new Error('The puzzle has no solution')
}
