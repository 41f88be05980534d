import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Task } from '@neuroloom/contract/task'
import { axesOf } from '@neuroloom/contract/task'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { kindFor, planFor } from '../../datasets/service.ts'
import { requireLearned } from '../../runs/access.ts'
import { type PinnedImage, predictPinned } from '../../runs/service.ts'
import { runs } from '../../runs/tables.ts'
import { noRight, requireItem, requireSet } from '../access.ts'
import { type LabelItemRow, labelItems, labelSources } from '../tables.ts'
import { chosenOf, kindOf } from './helpers.ts'
import { labelJudgements, labelProposals } from './tables.ts'

/** Writes into no reading: what is proposed waits until its reader says something to it. */
export async function propose(
  ctx: Context,
  { id, itemIds }: Parsed<'labelling/propose'>,
  { user }: Caller,
): Promise<Answer<'labelling/propose'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  const helper = await chosenOf(ctx.db, { setId: set.id, userId: user.id })
  if (!helper?.runId) throw fail('helper_missing')
  const parent = await requireLearned(ctx.db, user, helper.runId, 'edit')
  const items = await ctx.db
    .select()
    .from(labelItems)
    .where(and(eq(labelItems.setId, set.id), inArray(labelItems.id, itemIds), eq(labelItems.isGone, false)))
    .orderBy(asc(labelItems.position))
  if (items.length === 0) throw fail('label_item_missing')
  const fitting = items.filter((item) => kindOf(item) === (axesOf(parent.task) === 3 ? 'volume' : 'picture'))
  if (fitting.length === 0)
    throw fail('helper_unfit', { reason: axesOf(parent.task) === 3 ? 'volumes' : 'pictures' })
  const run = await predictPinned(ctx, user, {
    ...{ parent, name: set.name, images: await imagesOf(ctx, fitting, parent.task) },
    async also(tx, { id: runId }) {
      await tx.insert(labelProposals).values(
        fitting.map((item) => ({
          ...{ id: newId(), itemId: item.id, userId: user.id, runId },
          ...{ state: 'waiting' as const, classes: helper.classes, madeAt: ctx.now() },
        })),
      )
    },
  })
  return { runId: run.id, waiting: fitting.map((item) => item.id) }
}

/** By their pinned bytes; of DICOM all files, of which a picture or a volume is made as one that a network learns from. */
async function imagesOf(ctx: Context, items: readonly LabelItemRow[], task: Task): Promise<PinnedImage[]> {
  const rows = await ctx.db
    .select()
    .from(labelSources)
    .where(
      and(
        inArray(
          labelSources.itemId,
          items.map(({ id }) => id),
        ),
        eq(labelSources.role, 'file'),
      ),
    )
    .orderBy(asc(labelSources.itemId), asc(labelSources.place))
  // A series lies in one folder, and slices of several folders may have one name.
  const files = rows.map((row) => ({ ...row, path: `${row.itemId}/${row.place}-${row.name}` }))
  const { items: planned } = await planFor(ctx, files, kindFor(task))
  const made = new Map(
    planned.map((one) => [one.files[0]?.path.split('/')[0], one.files.map(({ sha256 }) => sha256)]),
  )
  return items.flatMap(({ id, name }) => {
    const first = files.find(({ itemId }) => itemId === id)
    const sources = made.get(id)
    const image = sources?.[0] ?? first?.sha256
    return image === undefined ? [] : [{ id, name, sha256: image, ...(sources ? { sources } : {}) }]
  })
}

/** Of those images that the member may look at: a right to the set is one to all its images. */
export async function pinnedImages(db: Db, user: { id: string }, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ sha256: labelSources.sha256, setId: labelItems.setId })
    .from(labelSources)
    .innerJoin(labelItems, eq(labelItems.id, labelSources.itemId))
    .where(inArray(labelSources.itemId, [...ids]))
  const [first] = rows
  if (!first) return []
  const set = await requireSet(db, user, first.setId, 'read').catch(noRight)
  return rows.filter(({ setId }) => setId === set?.id).map(({ sha256 }) => sha256)
}

export async function proposal(
  ctx: Context,
  { itemId }: Parsed<'labelling/proposal'>,
  { user }: Caller,
): Promise<Answer<'labelling/proposal'>> {
  const { item } = await requireItem(ctx.db, user, itemId, 'read')
  const [row] = await ctx.db
    .select()
    .from(labelProposals)
    .where(and(eq(labelProposals.itemId, item.id), eq(labelProposals.userId, user.id)))
    .orderBy(desc(labelProposals.madeAt), desc(labelProposals.id))
    .limit(1)
  if (!row) return { proposal: null }
  const { id, state, objects, objectsLeft: left, runId } = row
  const judged = await ctx.db
    .select({ number: labelJudgements.number, judgement: labelJudgements.judgement })
    .from(labelJudgements)
    .where(eq(labelJudgements.proposalId, id))
    .orderBy(asc(labelJudgements.number))
  return { proposal: { id, state, objects, left, judged, run: await numberOf(ctx.db, runId) } }
}

/** Of the training that the prediction was made with. */
async function numberOf(db: Db, runId: string | null): Promise<number | null> {
  if (runId === null) return null
  const [run] = await db.select({ parentId: runs.parentId }).from(runs).where(eq(runs.id, runId))
  if (!run?.parentId) return null
  const [parent] = await db.select({ number: runs.number }).from(runs).where(eq(runs.id, run.parentId))
  return parent?.number ?? null
}
