import type { Language } from '@neuroloom/contract/language'
import type { DataFacts } from '@neuroloom/contract/network/resolve/bind'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { type Counts, countWork, type Drawing, drawWork, type Unreadable } from './reading.ts'

/** A member's text, worked out; `network_unreadable` for one that is no document. */
export const examine = async (ctx: Context, memberId: string, text: string): Promise<Counts> =>
  readable(await ctx.aside.ask(memberId, countWork, { text }))

type Wish = { memberId: string; text: string; language: Language; data?: DataFacts }

/** The structure picture of a text that was read before, with its figures for these data. */
export const drawingOf = async (
  ctx: Context,
  { memberId, text, language, data = {} }: Wish,
): Promise<Drawing> => readable(await ctx.aside.ask(memberId, drawWork, { text, language, data }))

export function readable<Answer extends object>(answer: { unreadable: Unreadable } | Answer): Answer {
  if ('unreadable' in answer) throw fail('network_unreadable', answer.unreadable)
  return answer
}
