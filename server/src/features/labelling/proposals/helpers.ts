/** Which of a member's trained networks can propose in a set, and the one that was chosen. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { sameName } from '@neuroloom/contract/labelling/classes'
import type { Helper, HelperNetwork } from '@neuroloom/contract/labelling/proposals'
import { movesPlaces, type Recipe } from '@neuroloom/contract/recipes/recipe'
import { axesOf, findsPlaces } from '@neuroloom/contract/task'
import { and, desc, eq, exists, inArray } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { editableProjects } from '../../projects/access.ts'
import { projects } from '../../projects/tables.ts'
import { requireLearned } from '../../runs/access.ts'
import {
  isLearnedRow,
  type LearnedRow,
  type RunRow,
  runArtifacts,
  runInputs,
  runs,
} from '../../runs/tables.ts'
import { requireSet, type SeenSet } from '../access.ts'
import { type LabelItemRow, labelItems } from '../tables.ts'
import { type HelperRow, labelHelpers } from './tables.ts'

/** Looked through, the newest first. */
const MOST = 200

export async function helpers(
  ctx: Context,
  { id }: Parsed<'labelling/helpers'>,
  { user }: Caller,
): Promise<Answer<'labelling/helpers'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  const weights = ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, runs.id), eq(runArtifacts.kind, 'weights')))
  const rows = await ctx.db
    .select({ run: runs, project: projects.name, recipe: runInputs.recipe })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .leftJoin(runInputs, eq(runInputs.runId, runs.id))
    .where(
      and(
        eq(runs.kind, 'train'),
        eq(runs.state, 'done'),
        inArray(runs.projectId, editableProjects(ctx.db, user.id)),
        exists(weights),
      ),
    )
    .orderBy(desc(runs.endedAt), desc(runs.id))
    .limit(MOST)
  const kinds = await kindsIn(ctx.db, set.id)
  const networks = rows.flatMap(({ run, project, recipe }) =>
    isLearnedRow(run)
      ? [shown(run, { project, unfit: unfitOf(run, set, kinds), isReshaped: isReshaped(run, recipe) })]
      : [],
  )
  const chosen = await chosenOf(ctx.db, { setId: set.id, userId: user.id })
  const network = networks.find(({ runId }) => runId === chosen?.runId)
  return { networks, chosen: chosen && network ? helperOf(chosen, network) : null }
}

export async function chooseHelper(
  ctx: Context,
  { id, runId, classes, order, every }: Parsed<'labelling/chooseHelper'>,
  { user }: Caller,
): Promise<Answer<'labelling/chooseHelper'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  const run = await requireLearned(ctx.db, user, runId, 'edit')
  const unfit = unfitOf(run, set, await kindsIn(ctx.db, set.id))
  if (unfit) throw fail('helper_unfit', { reason: unfit })
  const weights = and(eq(runArtifacts.runId, run.id), eq(runArtifacts.kind, 'weights'))
  if (run.kind !== 'train' || (await ctx.db.$count(runArtifacts, weights)) === 0) throw fail('train_first')
  const known = new Set(set.classes.map((one) => one.id))
  const isFit = classes.every((one) => one === null || known.has(one))
  if (!isFit || classes.length !== run.classes.length || classes.every((one) => one === null))
    throw fail('helper_unfit', { reason: 'classes' })
  const values = { runId, classes, order, every, changedAt: ctx.now() }
  const [row] = await ctx.db
    .insert(labelHelpers)
    .values({ setId: set.id, userId: user.id, ...values })
    .onConflictDoUpdate({ target: [labelHelpers.setId, labelHelpers.userId], set: values })
    .returning()
  if (!row) throw fail('internal')
  const [inputs] = await ctx.db
    .select({ recipe: runInputs.recipe })
    .from(runInputs)
    .where(eq(runInputs.runId, run.id))
  const more = { project: run.project.name, unfit, isReshaped: isReshaped(run, inputs?.recipe ?? null) }
  return helperOf(row, shown(run, more))
}

export async function chosenOf(
  db: Db,
  { setId, userId }: { setId: string; userId: string },
): Promise<HelperRow | null> {
  const [row] = await db
    .select({ helper: labelHelpers, runId: runs.id })
    .from(labelHelpers)
    // One in the recycle station proposes nothing until it comes back.
    .leftJoin(runs, eq(runs.id, labelHelpers.runId))
    .where(and(eq(labelHelpers.setId, setId), eq(labelHelpers.userId, userId)))
  return row ? { ...row.helper, runId: row.runId } : null
}

/** The set's class of each class that is called like it; of the background none. */
export const classesByName = (run: Pick<RunRow, 'task' | 'classes'>, set: Pick<SeenSet, 'classes'>) =>
  run.classes.map((name, index) => {
    if (isBackground(run, index)) return null
    const found = set.classes.find((one) => one.use === 'class' && sameName(one.name) === sameName(name))
    return found?.id ?? null
  })

/** Of masks the first class is everything that is not marked. */
export const isBackground = ({ task }: Pick<RunRow, 'task'>, index: number): boolean =>
  index === 0 && (task === 'segmentation' || task === 'volume_segmentation')

const isReshaped = ({ task }: Pick<LearnedRow, 'task'>, recipe: Recipe | null): boolean =>
  recipe !== null && findsPlaces(task) && movesPlaces(recipe)

export type Kinds = ReadonlySet<'picture' | 'volume' | 'video'>

export function unfitOf(
  { task }: Pick<LearnedRow, 'task'>,
  { marks }: Pick<SeenSet, 'marks'>,
  kinds: Kinds,
): HelperNetwork['unfit'] {
  switch (task) {
    case 'super_resolution':
    case 'denoising':
      return 'task'
    case 'classification':
    case 'multilabel':
      if (!marks.includes('tags')) return 'marks'
      break
    case 'detection':
      if (!marks.includes('boxes')) return 'marks'
      break
    case 'segmentation':
      if (!marks.includes('pixels') && !marks.includes('outlines')) return 'marks'
      break
    case 'volume_segmentation':
      if (!marks.includes('pixels')) return 'marks'
  }
  if (axesOf(task) === 3) return kinds.has('volume') ? null : 'volumes'
  return kinds.has('picture') ? null : 'pictures'
}

/** A single slice is a picture to a network, whatever file it came in. */
export const kindOf = ({ kind, depth }: Pick<LabelItemRow, 'kind' | 'depth'>): LabelItemRow['kind'] =>
  kind === 'volume' && depth === 1 ? 'picture' : kind

export async function kindsIn(db: Db, setId: string): Promise<Kinds> {
  const rows = await db
    .selectDistinct({ kind: labelItems.kind, depth: labelItems.depth })
    .from(labelItems)
    .where(and(eq(labelItems.setId, setId), eq(labelItems.isGone, false)))
  return new Set(rows.map(kindOf))
}

const shown = (
  { id, number, task, score, classes }: LearnedRow,
  more: Pick<HelperNetwork, 'project' | 'unfit' | 'isReshaped'>,
): HelperNetwork => ({ runId: id, number, task, score, classes, ...more })

const helperOf = ({ classes, order, every }: HelperRow, network: HelperNetwork): Helper => ({
  ...{ runId: network.runId, network, order, every },
  classes,
})
