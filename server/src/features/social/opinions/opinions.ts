/** Asking for second opinions, answering and closing them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { opinions as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail, failFields } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { accessChanged, requireShowable, viewShown } from '../../files/service.ts'
import { lockChat, requireChat } from '../chats/access.ts'
import { canMeet } from '../chats/meeting.ts'
import { sendAbout } from '../chats/send.ts'
import { cleanText } from '../text.ts'
import { isOpen, lockOpinion, requireOpenOpinion, requireOpinion } from './access.ts'
import { describeOpinion } from './describe.ts'
import { type OpinionRow, opinionAnswers, opinionReaders, opinionStudies, opinions } from './tables.ts'

type Asked = Parsed<'opinion/ask'>

export async function ask(ctx: Context, body: Asked, caller: Caller): Promise<Answer<'opinion/ask'>> {
  const { user, address } = caller
  const { chatId, hasOutline } = body
  const wanted = cleaned(ctx, body)
  const { member } = await requireChat(ctx.db, user.id, chatId)
  if (member.untilId !== null) throw fail('chat_missing')
  for (const { fileId, series } of body.studies) await requireShowable(ctx, caller, { id: fileId, series })
  return ctx.db.transaction(async (tx) => {
    const own = await lockChat(tx, user.id, chatId)
    await requireFewOpen(ctx, tx, user.id)
    for (const readerId of wanted.readerIds)
      if (!(await canMeet(tx, readerId, { chatId, hostId: user.id }))) throw fail('member_missing')
    const id = newId()
    const { question, answers, until } = wanted
    const [opinion] = await tx
      .insert(opinions)
      .values({ id, chatId, askerId: user.id, question, answers, hasOutline, askedAt: ctx.now(), until })
      .returning()
    if (!opinion) throw new Error('The request was not written')
    await tx.insert(opinionStudies).values(
      wanted.studies.map(({ fileId, series, title }, position) => ({
        ...{ opinionId: id, position, fileId, isSeries: series, title },
      })),
    )
    await tx.insert(opinionReaders).values(wanted.readerIds.map((userId) => ({ opinionId: id, userId })))
    await sendAbout(ctx, tx, own, {
      ...{ senderId: user.id, text: question, attachment: { kind: 'opinion', id } },
      mentions: wanted.readerIds,
    })
    const after = { studies: wanted.studies.length, readers: wanted.readerIds.length }
    await audit(tx, {
      actor: user.id,
      action: 'social.ask_opinion',
      subject: `opinion:${id}`,
      address,
      after,
    })
    return describeOpinion(ctx, tx, opinion, user.id)
  })
}

/** Texts as they are stored; answers and readers once each, and a time to come. */
function cleaned(ctx: Context, body: Asked) {
  const until = new Date(body.until)
  const ms = until.getTime() - ctx.now().getTime()
  if (ms < limits.leastMs || ms > limits.mostMs) throw failFields({ until: 'form.invalid' })
  const answers = body.answers.map((text) => cleanText(text, { field: 'answers' }))
  const fileIds = body.studies.map(({ fileId }) => fileId)
  if (new Set(answers).size < answers.length) throw failFields({ answers: 'form.invalid' })
  if (new Set(fileIds).size < fileIds.length) throw failFields({ studies: 'form.invalid' })
  return {
    until,
    answers,
    question: cleanText(body.question, { field: 'question' }),
    readerIds: [...new Set(body.readerIds)],
    studies: body.studies.map((study) => ({ ...study, title: cleanText(study.title, { field: 'title' }) })),
  }
}

async function requireFewOpen(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const isOpenNow = and(
    eq(opinions.askerId, userId),
    isNull(opinions.closedAt),
    gt(opinions.until, ctx.now()),
  )
  const open = await tx.select({ id: opinions.id }).from(opinions).where(isOpenNow).for('update')
  if (open.length >= limits.open) throw fail('too_many_opinions', { limit: limits.open })
}

export async function show(
  ctx: Context,
  { opinionId }: Parsed<'opinion/show'>,
  { user }: Caller,
): Promise<Answer<'opinion/show'>> {
  return describeOpinion(ctx, ctx.db, await requireOpinion(ctx.db, user.id, opinionId), user.id)
}

export async function view(
  ctx: Context,
  { opinionId, position }: Parsed<'opinion/view'>,
  caller: Caller,
): Promise<Answer<'opinion/view'>> {
  await requireOpenOpinion(ctx, caller.user.id, opinionId)
  const isIt = and(eq(opinionStudies.opinionId, opinionId), eq(opinionStudies.position, position))
  const [study] = await ctx.db.select().from(opinionStudies).where(isIt)
  if (!study?.fileId) throw fail('opinion_missing')
  const { fileId, isSeries, title } = study
  return viewShown(ctx, caller, { id: fileId, series: isSeries, title, as: 'opinion', of: opinionId })
}

export async function answer(
  ctx: Context,
  { opinionId, position, answer: chosen, note, outline }: Parsed<'opinion/answer'>,
  { user }: Caller,
): Promise<Answer<'opinion/answer'>> {
  return ctx.db.transaction(async (tx) => {
    const opinion = await lockOpinion(tx, user.id, opinionId)
    if (!isOpen(ctx, opinion)) throw fail('opinion_closed')
    const isOwn = and(eq(opinionReaders.opinionId, opinionId), eq(opinionReaders.userId, user.id))
    const [reader] = await tx.select().from(opinionReaders).where(isOwn)
    if (!reader) throw fail('opinion_missing')
    if (reader.doneAt !== null) throw fail('opinion_answered')
    const ofOpinion = eq(opinionStudies.opinionId, opinionId)
    const studies = await tx.$count(opinionStudies, ofOpinion)
    if (position >= studies || chosen >= opinion.answers.length) throw failFields({ answer: 'form.invalid' })
    const said = {
      answer: chosen,
      note: cleanText(note, { field: 'note', mayBeEmpty: true }),
      outline: opinion.hasOutline ? outline : null,
      at: ctx.now(),
    }
    await tx
      .insert(opinionAnswers)
      .values({ opinionId, position, userId: user.id, ...said })
      .onConflictDoUpdate({
        target: [opinionAnswers.opinionId, opinionAnswers.position, opinionAnswers.userId],
        set: said,
      })
    const isBy = and(eq(opinionAnswers.opinionId, opinionId), eq(opinionAnswers.userId, user.id))
    const isDone = (await tx.$count(opinionAnswers, isBy)) === studies
    if (isDone) await tx.update(opinionReaders).set({ doneAt: ctx.now() }).where(isOwn)
    return describeOpinion(ctx, tx, isDone ? await closeIfDone(ctx, tx, opinion) : opinion, user.id)
  })
}

/** With the last reader. */
async function closeIfDone(ctx: Context, tx: Tx, opinion: OpinionRow): Promise<OpinionRow> {
  const isReading = and(eq(opinionReaders.opinionId, opinion.id), isNull(opinionReaders.doneAt))
  return (await tx.$count(opinionReaders, isReading)) > 0 ? opinion : closeNow(ctx, tx, opinion)
}

async function closeNow(ctx: Context, tx: Tx, opinion: OpinionRow): Promise<OpinionRow> {
  const [closed] = await tx
    .update(opinions)
    .set({ closedAt: ctx.now() })
    .where(eq(opinions.id, opinion.id))
    .returning()
  // Whoever gets an image gets no further byte.
  await accessChanged(tx, [opinion.askerId])
  return closed ?? opinion
}

export async function close(
  ctx: Context,
  { opinionId }: Parsed<'opinion/close'>,
  { user, address }: Caller,
): Promise<Answer<'opinion/close'>> {
  return ctx.db.transaction(async (tx) => {
    const opinion = await lockOpinion(tx, user.id, opinionId)
    if (opinion.askerId !== user.id) throw fail('opinion_missing')
    if (!isOpen(ctx, opinion)) return describeOpinion(ctx, tx, opinion, user.id)
    await audit(tx, {
      actor: user.id,
      action: 'social.close_opinion',
      subject: `opinion:${opinionId}`,
      address,
    })
    return describeOpinion(ctx, tx, await closeNow(ctx, tx, opinion), user.id)
  })
}
