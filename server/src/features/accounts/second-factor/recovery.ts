/** Codes for whoever has lost the app: ten, each good once. What is stored is a keyed digest. */
import { randomInt } from 'node:crypto'
import { secondFactor as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { recoveryCodes } from '../tables.ts'

/** 32 symbols without look-alikes: 50 bits in ten. */
const SYMBOLS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const HALF = 5

/** New ones in the place of those of before. */
export async function renewRecoveryCodes(ctx: Context, tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, () => `${draw()}-${draw()}`)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeMac: macOf(ctx, userId, code) })))
  return codes
}

/** Of two at once one gets it. */
export async function takeRecoveryCode(ctx: Context, tx: Tx, userId: string, code: string): Promise<boolean> {
  const taken = await tx
    .update(recoveryCodes)
    .set({ usedAt: ctx.now() })
    .where(and(unused(userId), eq(recoveryCodes.codeMac, macOf(ctx, userId, code))))
    .returning({ codeMac: recoveryCodes.codeMac })
  return taken.length === 1
}

export const countRecoveryCodes = (db: Context['db'] | Tx, userId: string): Promise<number> =>
  db.$count(recoveryCodes, unused(userId))

const unused = (userId: string) => and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))

const draw = (): string => Array.from({ length: HALF }, () => SYMBOLS[randomInt(SYMBOLS.length)]).join('')

/** Hyphens, spaces and small letters are how people type it. */
const macOf = (ctx: Context, userId: string, code: string): string =>
  ctx.links.mac('recovery code', `${userId}\n${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`)
