import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { equal } from '../../infra/links.ts'

/**
 * Where a page ended, for the page after it. Sealed together with the question: another question, or anything that we
 * did not give out, is refused before it reaches the database.
 */
export function sealCursor(ctx: Context, question: object, place: unknown): string {
  const text = Buffer.from(JSON.stringify(place)).toString('base64url')
  return `${text}.${sealOf(ctx, question, text)}`
}

/** As it was sealed; its shape is the caller's to know. */
export function openCursor(ctx: Context, question: object, cursor: string): unknown {
  const [text = '', seal = ''] = cursor.split('.')
  if (!equal(seal, sealOf(ctx, question, text))) throw fail('missing')
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

const sealOf = (ctx: Context, question: object, text: string): string =>
  ctx.links.mac('cursor', `${JSON.stringify(question)}\n${text}`).slice(0, 16)
