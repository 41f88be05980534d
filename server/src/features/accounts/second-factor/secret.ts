import type { Context } from '../../../infra/context.ts'
import type { secondFactors } from '../tables.ts'

export const sealSecret = ({ seals }: Context, userId: string, secret: string): Buffer =>
  seals.seal(secret, ownerOf(userId))

/** Null where it cannot be read any more because the server's secret is another. */
export const secretOf = (
  { seals }: Context,
  { userId, secretSeal }: Pick<typeof secondFactors.$inferSelect, 'userId' | 'secretSeal'>,
): string | null => seals.open(secretSeal, ownerOf(userId))

const ownerOf = (userId: string): string => `second factor ${userId}`
