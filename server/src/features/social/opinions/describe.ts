/** A request for a second opinion as one of those in it sees it. */
import { agreementOf } from '@neuroloom/contract/social/opinion-agreement'
import type { Opinion, OpinionAnswer } from '@neuroloom/contract/social/opinions'
import { asc, eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { requireChat } from '../chats/access.ts'
import { describeChat } from '../chats/describe.ts'
import { nobody, personsOf } from '../people/relations.ts'
import { isOpen } from './access.ts'
import {
  type OpinionAnswerRow,
  type OpinionRow,
  opinionAnswers,
  opinionReaders,
  opinionStudies,
} from './tables.ts'

export async function describeOpinion(
  ctx: Context,
  db: Db,
  opinion: OpinionRow,
  userId: string,
): Promise<Opinion> {
  const { id, chatId, askerId, question, answers, hasOutline, askedAt, until, closedAt } = opinion
  const isOf = eq(opinionReaders.opinionId, id)
  const readers = await db.select().from(opinionReaders).where(isOf).orderBy(asc(opinionReaders.userId))
  const studies = await db
    .select({ position: opinionStudies.position, title: opinionStudies.title })
    .from(opinionStudies)
    .where(eq(opinionStudies.opinionId, id))
    .orderBy(asc(opinionStudies.position))
  const said = await db
    .select()
    .from(opinionAnswers)
    .where(eq(opinionAnswers.opinionId, id))
    .orderBy(asc(opinionAnswers.position), asc(opinionAnswers.userId))
  const persons = await personsOf(db, [askerId, ...readers.map((one) => one.userId)])
  const { name } = await describeChat(db, userId, await requireChat(db, userId, chatId))
  const isAnswering = isOpen(ctx, opinion)
  const own = readers.find((one) => one.userId === userId)
  // Blind: whoever still reads sees nothing of the others, nor does whoever asked before it is closed.
  const isSeen = !isAnswering || (own !== undefined && own.doneAt !== null)
  const all = said.map(answerOf)
  const counted = { studies: studies.length, classes: answers.length }
  return {
    ...{ id, chatId, chatName: name, question, answers, hasOutline, studies },
    asker: persons.get(askerId) ?? nobody(),
    ...{ askedAt: askedAt.toISOString(), until: until.toISOString() },
    closedAt: isAnswering ? null : (closedAt ?? until).toISOString(),
    readers: readers.map((one) => ({
      ...(persons.get(one.userId) ?? nobody()),
      answered: said.filter((answer) => answer.userId === one.userId).length,
      doneAt: one.doneAt?.toISOString() ?? null,
    })),
    isAsker: askerId === userId,
    canAnswer: isAnswering && own?.doneAt === null,
    own: all.filter(({ readerId }) => readerId === userId),
    results: isSeen ? { answers: all, agreement: agreementOf(all, counted) } : null,
  }
}

const answerOf = ({ position, userId, answer, note, outline, at }: OpinionAnswerRow): OpinionAnswer => ({
  ...{ position, readerId: userId, answer, note, outline, at: at.toISOString() },
})
