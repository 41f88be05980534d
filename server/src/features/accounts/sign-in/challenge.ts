import { createHash, randomBytes, randomInt } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { type Challenge, type ChallengePurpose, proofSchema } from '@neuroloom/contract/accounts/accounts'
import { challenge as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { equal } from '../../../infra/links.ts'
import { usedChallenges } from '../tables.ts'

/** A puzzle for the drag slider: find `number` so that the SHA-256 (hex) of salt followed by number is `target`. */
export function makeChallenge(
  ctx: Context,
  { purpose, address, maxNumber }: { purpose: ChallengePurpose; address: string; maxNumber: number },
): Challenge {
  const salt = randomBytes(16).toString('hex')
  const target = digest(salt, randomInt(maxNumber + 1))
  const expiresAt = ctx.now().getTime() + limits.validMs
  const signature = sign(ctx, { salt, target, maxNumber, expiresAt, purpose, address })
  return { salt, target, maxNumber, expiresAt, signature }
}

/** How large a puzzle was solved, when it is ours, fresh, right, for this purpose and network, and used for the first time. */
export async function acceptProof(
  ctx: Context,
  proofText: string,
  use: { purpose: ChallengePurpose; address: string },
): Promise<number | null> {
  const proof = proofSchema.safeParse(parseJson(proofText))
  if (!proof.success) return null
  const { salt, target, maxNumber, expiresAt, number, signature } = proof.data
  if (!equal(signature, sign(ctx, { salt, target, maxNumber, expiresAt, ...use }))) return null
  if (expiresAt <= ctx.now().getTime() || !equal(digest(salt, number), target)) return null
  const first = await ctx.db
    .insert(usedChallenges)
    .values({ salt, expiresAt: new Date(expiresAt) })
    .onConflictDoNothing()
    .returning({ salt: usedChallenges.salt })
  return first.length === 1 ? maxNumber : null
}

type Signed = Pick<Challenge, 'salt' | 'target' | 'maxNumber' | 'expiresAt'> & {
  purpose: ChallengePurpose
  address: string
}

const sign = (ctx: Context, { salt, target, maxNumber, expiresAt, purpose, address }: Signed): string =>
  ctx.links.mac('challenge', [salt, target, maxNumber, expiresAt, purpose, networkOf(address)].join('\n'))

const digest = (salt: string, number: number): string =>
  createHash('sha256').update(`${salt}${number}`).digest('hex')

/** The first half of an address: phones change the rest while somebody drags. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '')
  return isIPv4(plain) ? plain.split('.').slice(0, 3).join('.') : plain.split(':').slice(0, 3).join(':')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
