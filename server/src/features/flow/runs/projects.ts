/** Which studies belong to a project of 4D flow, and what that tells the features to the left. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, desc, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fileName } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import { freeNames } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { missingFlowPackages } from '../../../infra/engine/packages.ts'
import { requireRoomToShare, type SharedThings } from '../../plans/access.ts'
import { requireProject, seenByOthersSince } from '../../projects/access.ts'
import type { ArchiveOptions, ProjectArchive, ProjectPart } from '../../projects/service.ts'
import { projects } from '../../projects/tables.ts'
import { holdStudy } from '../access.ts'
import { summariesOf } from '../show.ts'
import { flowStudies } from '../tables.ts'
import { studyFiles } from '../values.ts'
import { flowProjectStudies } from './tables.ts'

export async function projectStudies(
  ctx: Context,
  { projectId }: Parsed<'flow/projectStudies'>,
  { user }: Caller,
): Promise<Answer<'flow/projectStudies'>> {
  await requireProject(ctx.db, user, projectId, 'view')
  const rows = await linkedTo(ctx, projectId)
  const summaries = await summariesOf(
    ctx.db,
    user,
    rows.map(({ study }) => study),
  )
  return {
    studies: summaries.map((summary, index) => ({
      ...summary,
      isOwn: rows[index]?.study.ownerId === user.id,
      addedAt: (rows[index]?.addedAt ?? ctx.now()).toISOString(),
    })),
    missing: await missingFlowPackages(ctx.config.enginePython),
  }
}

const linkedTo = ({ db }: Context, projectId: string) =>
  db
    .select({ study: flowStudies, addedAt: flowProjectStudies.addedAt })
    .from(flowProjectStudies)
    .innerJoin(flowStudies, eq(flowStudies.id, flowProjectStudies.studyId))
    .where(eq(flowProjectStudies.projectId, projectId))
    .orderBy(desc(flowProjectStudies.addedAt), desc(flowStudies.id))

export async function addToProject(
  ctx: Context,
  { projectId, studyId }: Parsed<'flow/addToProject'>,
  { user }: Caller,
): Promise<Answer<'flow/addToProject'>> {
  await ctx.db.transaction(async (tx) => {
    const { task } = await requireProject(tx, user, projectId, 'edit')
    if (task !== 'flow') throw fail('task_differs')
    await holdStudy(tx, { id: studyId, ownerId: user.id })
    await joinProject(ctx, tx, { projectId, studyId, ownerId: user.id })
  })
  return {}
}

/** Into a project that may be changed, of a study that is the owner's. */
export async function joinProject(
  ctx: Context,
  tx: Tx,
  { projectId, studyId, ownerId }: { projectId: string; studyId: string; ownerId: string },
): Promise<void> {
  const link = { projectId, studyId, addedAt: ctx.now() }
  const added = await tx.insert(flowProjectStudies).values(link).onConflictDoNothing().returning()
  if (added.length === 0) return
  await requireRoomToShare(ctx, tx, { ownerId, id: studyId })
  await projectChanged(ctx, tx, projectId)
}

/** By the project's owner, or, among those who may edit it, by whoever brought the study. */
export async function takeFromProject(
  ctx: Context,
  { projectId, studyId }: Parsed<'flow/takeFromProject'>,
  { user }: Caller,
): Promise<Answer<'flow/takeFromProject'>> {
  await ctx.db.transaction(async (tx) => {
    const { access } = await requireProject(tx, user, projectId, 'edit')
    const [study] = await tx
      .select({ ownerId: flowStudies.ownerId })
      .from(flowProjectStudies)
      .innerJoin(flowStudies, eq(flowStudies.id, flowProjectStudies.studyId))
      .where(isLink(projectId, studyId))
    if (!study) throw fail('study_missing')
    if (access !== 'own' && study.ownerId !== user.id) throw fail('not_allowed')
    await tx.delete(flowProjectStudies).where(isLink(projectId, studyId))
    await projectChanged(ctx, tx, projectId)
  })
  return {}
}

const isLink = (projectId: string, studyId: string): SQL | undefined =>
  and(eq(flowProjectStudies.projectId, projectId), eq(flowProjectStudies.studyId, studyId))

/** Pages of others who work in the project fetch anew. */
const projectChanged = (ctx: Context, tx: Tx, id: string) =>
  ctx.live.publish(tx, { kind: 'project', id }, 'changed', {})

/** Others have a study by a project that others see, or that is another member's: it counts as a data set. */
export const sharedStudies: SharedThings = async (_ctx, db, ownerId) => {
  const isForeign = sql`${projects.ownerId} <> ${flowStudies.ownerId}`
  const since = sql`case
    when ${isForeign} then ${flowProjectStudies.addedAt}
    else greatest(${flowProjectStudies.addedAt}, ${seenByOthersSince})
  end`.mapWith(flowProjectStudies.addedAt)
  const rows = await db
    .select({ id: flowStudies.id, projectId: projects.id, since })
    .from(flowStudies)
    .innerJoin(flowProjectStudies, eq(flowProjectStudies.studyId, flowStudies.id))
    .innerJoin(projects, eq(projects.id, flowProjectStudies.projectId))
    .where(and(eq(flowStudies.ownerId, ownerId), or(isForeign, isNotNull(seenByOthersSince))))
  return rows.map(({ id, projectId, since: at }) => ({
    ...{ kind: 'datasets' as const, key: `flow ${id}`, ids: [id, projectId], since: at },
  }))
}

/** Files of the series that a study was made of; a known flow has none. */
const filesIn = sql`coalesce((
  select sum((series ->> 'files')::int) from jsonb_array_elements(${flowStudies.look} -> 'series') series
  where series ->> 'role' <> 'unused'
), 0)`

export const projectPart: ProjectPart = {
  /** Studies stand where data sets to be looked at stand; done runs are counted as reports by the runs. */
  async summarise(db, projectIds) {
    if (projectIds.length === 0) return new Map()
    const rows = await db
      .select({
        projectId: flowProjectStudies.projectId,
        testSets: sql`count(*)`.mapWith(Number),
        files: sql`sum(${filesIn})`.mapWith(Number),
      })
      .from(flowProjectStudies)
      .innerJoin(flowStudies, eq(flowStudies.id, flowProjectStudies.studyId))
      .where(inArray(flowProjectStudies.projectId, projectIds))
      .groupBy(flowProjectStudies.projectId)
    return new Map(rows.map(({ projectId, ...counts }) => [projectId, { counts }]))
  },
  /** Only studies of whoever copies: others' stay theirs to give. */
  async copied(_ctx, tx, { fromId, toId, ownerId }) {
    const used = await tx
      .select({ link: flowProjectStudies, ownerId: flowStudies.ownerId })
      .from(flowProjectStudies)
      .innerJoin(flowStudies, eq(flowStudies.id, flowProjectStudies.studyId))
      .where(eq(flowProjectStudies.projectId, fromId))
    const own = used.filter((one) => one.ownerId === ownerId)
    const links = own.map(({ link }) => ({ ...link, projectId: toId }))
    if (links.length > 0) await tx.insert(flowProjectStudies).values(links)
    return { leftOut: used.length - own.length }
  },
  archive: (ctx, project, options) => archiveOf(ctx, project.id, options),
}

/** What each study is, and its file where data are wanted. */
function archiveOf(ctx: Context, projectId: string, { data }: ArchiveOptions): ProjectArchive {
  const named = async () => {
    const freeName = freeNames()
    return (await linkedTo(ctx, projectId)).map(({ study }) => ({
      study,
      files: studyFiles(study).map(({ name, sha256 }) => ({
        path: `data/${freeName(fileName(name))}`,
        sha256,
      })),
    }))
  }
  return {
    async facts() {
      const studies = (await named()).map(({ study, files: [own, interpolated] }) => {
        const { id, name, state, head, sha256, createdAt } = study
        const told = { id, name, state, head, sha256, createdAt, file: data ? (own?.path ?? null) : null }
        return data && interpolated ? { ...told, interpolated: interpolated.path } : told
      })
      return studies.length > 0 ? { studies } : {}
    },
    async *files() {
      if (!data) return
      for (const { files } of await named())
        for (const { path, sha256 } of files)
          yield { path, isText: false, read: () => ctx.storage.read(sha256) }
    },
  }
}
