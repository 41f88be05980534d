/** A custom task as its member, whoever works on it, and administrators see it. */
import type { AssignedTask, CustomTask, OfficeTask } from '@neuroloom/contract/custom/task-calls'
import { eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { customTasks, type TaskRow } from '../tables.ts'

export function describeTask(row: TaskRow): CustomTask {
  const { id, kind, title, task, description, state, priceFen, orderNo, progress, reason } = row
  const { sourceKind, sourceId, sourceName } = row
  return {
    ...{ id, kind, title, task, description, state, priceFen, progress, reason },
    source: sourceKind === null ? null : { kind: sourceKind, id: sourceId ?? '', name: sourceName ?? '' },
    isPaid: orderNo !== '',
    isReviewed: row.reviewedBy !== null && state !== 'rejected',
    publishedAt: row.publishedAt.toISOString(),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    dueAt: row.dueAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    changedAt: row.changedAt.toISOString(),
  }
}

const providers = alias(users, 'providers')
const accountOf = ({ emailKey, phoneKey, nickName }: typeof users | typeof providers) => ({
  emailKey,
  phoneKey,
  nickName,
})

export const tasksWithPeople = (db: Db) =>
  db
    .select({ row: customTasks, member: accountOf(users), provider: accountOf(providers) })
    .from(customTasks)
    .leftJoin(users, eq(users.id, customTasks.userId))
    .leftJoin(providers, eq(providers.id, customTasks.providerId))
    .$dynamic()

type Found = Awaited<ReturnType<typeof tasksWithPeople>>[number]

export const describeToOffice = ({ row, member, provider }: Found, viewer: { id: string }): OfficeTask => ({
  ...describeTask(row),
  member: personOf(member),
  isOwn: row.userId === viewer.id,
  orderNo: row.orderNo,
  provider: provider && row.providerId !== null ? personOf(provider) : null,
})

export const describeToProvider = ({ row, member }: Found): AssignedTask => ({
  ...describeTask(row),
  member: { nickName: personOf(member).nickName },
})

const personOf = (person: Found['member']) => ({
  account: person?.emailKey ?? person?.phoneKey ?? '',
  nickName: person?.nickName ?? '',
})
