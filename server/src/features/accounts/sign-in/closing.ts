/** The end of a session whose window closes. A page that goes away cannot send its token, only a beacon with this. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { equal } from '../../../infra/links.ts'
import { sessions } from '../tables.ts'

/** Good for nothing else: with it one can end this session, and that only while no page of it calls. */
export const closingOf = (ctx: Context, sessionId: string): string => `${sessionId}.${macOf(ctx, sessionId)}`

/** Whether it fitted is nobody's business. */
export async function closing(
  ctx: Context,
  { closing: secret }: Parsed<'user/closing'>,
): Promise<Answer<'user/closing'>> {
  const [sessionId = '', mac = ''] = secret.split('.')
  if (!equal(mac, macOf(ctx, sessionId))) return {}
  await ctx.db.transaction(async (tx) => {
    const marked = await tx
      .update(sessions)
      .set({ closingAt: ctx.now() })
      // The first beacon counts: repeating it does not prolong anything.
      .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt), isNull(sessions.closingAt)))
      .returning({ id: sessions.id })
    for (const { id } of marked) await ctx.live.closingSession(tx, id)
  })
  return {}
}

/** A tab that speaks up: the call itself takes the mark away, as every other one does. */
export const stay = async (): Promise<Answer<'user/stay'>> => ({})

const macOf = (ctx: Context, sessionId: string): string => ctx.links.mac('closing', sessionId)
