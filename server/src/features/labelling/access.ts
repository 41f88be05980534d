import type { LabelRight } from '@neuroloom/contract/labelling/labelling'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { Failure, fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { editableProjects } from '../projects/access.ts'
import {
  type LabelItemRow,
  type LabelSetRow,
  labelItems,
  labelReaders,
  labelReadings,
  labelSets,
  type ReadingRow,
} from './tables.ts'

type Member = Pick<SessionUser, 'id'>
export type SeenSet = LabelSetRow & {
  right: LabelRight
  /** Nickname of its owner; '' for own ones. */
  owner: string
}

const ranks = { read: 1, review: 2, own: 3 } as const
const isEnough = (has: LabelRight, needed: LabelRight): boolean => ranks[has] >= ranks[needed]

/**
 * The set, if the caller has at least this right to it: own, as a reader whom its owner named, or as somebody who may edit
 * its project. `label_set_missing` for foreign and unknown ones alike; `not_allowed` where it may be seen but not this.
 */
export async function requireSet(db: Db, user: Member, id: string, right: LabelRight): Promise<SeenSet> {
  const [set] = await selectSeen(db, user, eq(labelSets.id, id))
  if (!set) throw fail('label_set_missing')
  if (!isEnough(set.right, right)) throw fail('not_allowed')
  return set
}

/** Of the sets that the member may see, those that meet the condition; the newest first. Those of closed accounts are gone. */
export async function selectSeen(db: Db, { id: userId }: Member, where: SQL | undefined): Promise<SeenSet[]> {
  const isReader = and(eq(labelReaders.setId, labelSets.id), eq(labelReaders.userId, userId))
  const rows = await db
    .select({ set: labelSets, owner: users.nickName, permission: labelReaders.permission })
    .from(labelSets)
    .innerJoin(users, eq(users.id, labelSets.ownerId))
    .leftJoin(labelReaders, isReader)
    .where(
      and(
        isNull(users.cancelledAt),
        or(
          eq(labelSets.ownerId, userId),
          isNotNull(labelReaders.setId),
          inArray(labelSets.projectId, editableProjects(db, userId)),
        ),
        where,
      ),
    )
    .orderBy(desc(labelSets.createdAt), desc(labelSets.id))
    .limit(limits.sets)
  return rows.map(({ set, owner, permission }) => {
    const isOwn = set.ownerId === userId
    return { ...set, owner: isOwn ? '' : owner, right: isOwn ? 'own' : (permission ?? 'read') }
  })
}

export function noRight(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}

export type SeenItem = { item: LabelItemRow; set: SeenSet }

export async function requireItem(db: Db, user: Member, id: string, right: LabelRight): Promise<SeenItem> {
  const [item] = await db.select().from(labelItems).where(eq(labelItems.id, id))
  if (!item) throw fail('label_item_missing')
  const set = await requireSet(db, user, item.setId, right).catch((error: unknown) => {
    // Whoever has no right to the set learns nothing of its images.
    if (error instanceof Failure && error.failure === 'label_set_missing') throw fail('label_item_missing')
    throw error
  })
  return { item, set }
}

export type SeenReading = SeenItem & { reading: ReadingRow; isOwn: boolean }

/** One's own, or another one's that may be seen: by its owner and reviewers; by readers only where nobody reads blind. */
export async function requireReading(db: Db, user: Member, id: string): Promise<SeenReading> {
  const [reading] = await db.select().from(labelReadings).where(eq(labelReadings.id, id))
  const seen = reading && (await requireItem(db, user, reading.itemId, 'read').catch(noRight))
  if (!reading || !seen) throw fail('reading_missing')
  const isOwn = isOwnReading(seen.set, user, reading)
  if (!isOwn && !maySeeOthers(seen.set)) throw fail('reading_missing')
  return { ...seen, reading, isOwn }
}

/** The agreed one is that of all who judge. */
export const isOwnReading = (
  { right }: SeenSet,
  user: Member,
  { readerId, isAgreed }: Pick<ReadingRow, 'readerId' | 'isAgreed'>,
): boolean => readerId === user.id || (isAgreed && right !== 'read')

export const maySeeOthers = ({ right, blind }: SeenSet): boolean => right !== 'read' || !blind
