/** What visitors write to the operator, and what comes back to them. */
import { canAnswerByMail } from '@neuroloom/contract/accounts/message-rules'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { messages as limits } from '@neuroloom/contract/limits'
import type { VisitorMessage } from '@neuroloom/contract/site'
import { and, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Caller, Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Mail } from '../../infra/messages/mail.ts'
import { sayer } from '../../infra/texts.ts'
import { requireProof } from '../accounts/access.ts'
import { type MessageRow, visitorMessages } from './tables.ts'

export async function leave(
  ctx: Context,
  { proof, ...message }: Parsed<'site/message'>,
  guest: Guest,
): Promise<Answer<'site/message'>> {
  const { address, language } = guest
  // Visitors have no account: what is counted is where they come from.
  const accountMac = ctx.links.mac('visitor', address)
  await requireProof(ctx, { accountMac, address, proof, purpose: 'message' })
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`messages ${address}`}, 0))`)
    const since = new Date(ctx.now().getTime() - limits.perAddressMs)
    const fromHere = and(eq(visitorMessages.address, address), gt(visitorMessages.at, since))
    if ((await tx.$count(visitorMessages, fromHere)) >= limits.perAddress) throw fail('too_many_messages')
    await tx.insert(visitorMessages).values({ ...message, address, language, at: ctx.now() })
  })
  return {}
}

export async function list(
  ctx: Context,
  { state, before }: Parsed<'site/messages'>,
): Promise<Answer<'site/messages'>> {
  const isOpen = isNull(visitorMessages.answeredAt)
  const wanted = { open: isOpen, answered: isNotNull(visitorMessages.answeredAt), all: undefined }
  const older = before === undefined ? undefined : lt(visitorMessages.id, idOf(before))
  const found = await ctx.db
    .select()
    .from(visitorMessages)
    .where(and(wanted[state], older))
    .orderBy(desc(visitorMessages.id))
    .limit(limits.pageSize + 1)
  const page = found.slice(0, limits.pageSize)
  return {
    items: page.map(shown),
    next: found.length > page.length ? String(page.at(-1)?.id) : null,
    openCount: await ctx.db.$count(visitorMessages, isOpen),
  }
}

/** What cannot be sent stays open, so that it can be tried again. */
export async function answer(
  ctx: Context,
  { id, answer: text }: Parsed<'site/answer'>,
  { user, address }: Caller,
): Promise<Answer<'site/answer'>> {
  return ctx.db.transaction(async (tx) => {
    const one = eq(visitorMessages.id, idOf(id))
    // Two administrators who answer at once do it one after the other.
    const [message] = await tx.select().from(visitorMessages).where(one).for('update')
    if (!message) throw fail('missing')
    await tx
      .update(visitorMessages)
      .set({ answer: text, answeredAt: ctx.now(), answeredBy: user.id })
      .where(one)
    await audit(tx, { actor: user.id, action: 'message.answer', subject: `message:${id}`, address })
    return { isSent: text !== '' && (await send(ctx, message, text)) }
  })
}

/** False where there is no way to: the visitor left a phone number, or there is no mail here. */
async function send(
  ctx: Context,
  { name, contact, text: question, language }: MessageRow,
  text: string,
): Promise<boolean> {
  if (!ctx.messages.canMail || !canAnswerByMail(contact)) return false
  const mail = answerMail({ name, question, answer: text }, { to: contact, language })
  await ctx.messages.sendMail(mail).catch((error: unknown) => {
    ctx.log.error({ err: error }, 'an answer was not sent')
    throw fail('message_failed')
  })
  return true
}

function idOf(text: string): number {
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw fail('missing')
  return id
}

const shown = ({ id, kind, name, organ, contact, topic, text, at, answer, answeredAt }: MessageRow) =>
  ({
    id: String(id),
    ...{ kind, name, organ, contact, topic, text, answer },
    at: at.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  }) satisfies VisitorMessage

/** What an answer's e-mail says around the answer itself. */
type Written = { name: string; question: string; answer: string }

function answerMail(
  { name, question, answer }: Written,
  { to, language }: { to: string; language: Language },
): Mail {
  const say = sayer('letters', language)
  const quoted = question.split(/\r?\n/).map((line) => `> ${line}`)
  const text = [say('answer.hello', { name }), '', answer, '', say('answer.yours'), ...quoted].join('\n')
  return { to, subject: say('answer.subject'), text }
}
