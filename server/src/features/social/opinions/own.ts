/** What of second opinions is a member's own: in the archive, and when the account is erased. */
import { eq, inArray } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { opinionAnswers, opinionReaders, opinionStudies, opinions } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const asked = await db.select().from(opinions).where(eq(opinions.askerId, userId))
  const ids = asked.map(({ id }) => id)
  const studies = await db.select().from(opinionStudies).where(inArray(opinionStudies.opinionId, ids))
  const read = await db.select().from(opinionReaders).where(eq(opinionReaders.userId, userId))
  const answers = await db.select().from(opinionAnswers).where(eq(opinionAnswers.userId, userId))
  yield jsonFile('social-opinions.json', { asked, studies, read, answers })
}

/** What was asked goes with all answers, and own answers to others go too: figures are of those that are left. */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(opinions).where(eq(opinions.askerId, userId))
    await tx.delete(opinionAnswers).where(eq(opinionAnswers.userId, userId))
    await tx.delete(opinionReaders).where(eq(opinionReaders.userId, userId))
  })
}
