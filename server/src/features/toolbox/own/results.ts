import { and, eq } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Context, WorkerContext } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addNotice } from '../../../infra/notices.ts'
import { putFolder, type StoredFile } from '../../files/service.ts'
import { files } from '../../files/tables.ts'
import { resultName, sourceOf } from '../../runs/service.ts'
import { type RunRow, runArtifacts, runs } from '../../runs/tables.ts'
import { ownToolResults } from './tables.ts'

/** When a prediction by a tool has ended: its answers go into the cloud of whoever asked. */
export async function keepLater(ctx: Context, tx: Tx, run: RunRow): Promise<void> {
  if (run.tool === null || run.state !== 'done') return
  await ctx.jobs.send(tx, 'toolbox.results', { runId: run.id }, { singletonKey: run.id })
}

/** Once for each, however often the job is done; what has no room stays on the page of the run, where all of it is, and that is told. */
export async function keepResults(ctx: WorkerContext, runId: string): Promise<void> {
  const [run] = await ctx.db.select().from(runs).where(eq(runs.id, runId))
  if (!run?.tool || run.startedBy === null) return
  const { startedBy: memberId, tool, datasetName } = run
  const artifacts = await ctx.db.select().from(runArtifacts).where(eq(runArtifacts.runId, runId))
  const stored: StoredFile[] = []
  for (const { kind, sha256, sizeBytes } of artifacts)
    stored.push({ path: await resultName(ctx, run, kind), sha256, sizeBytes })
  if (stored.length === 0) return
  const beside = await folderOfSource(ctx, runId)
  await ctx.db
    .transaction(async (tx) => {
      const fresh = await tx.insert(ownToolResults).values({ runId }).onConflictDoNothing().returning()
      if (fresh.length === 0) return
      const name = `${datasetName} – ${tool.name}`.replaceAll('/', '-')
      const put = await putFolder(ctx, tx, { memberId, beside, name, files: stored })
      await tx.update(ownToolResults).set({ folderId: put.id }).where(eq(ownToolResults.runId, runId))
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof Failure)) throw error
      ctx.log.info({ runId, failure: error.failure }, 'answers of a tool had no room in the cloud')
      await tellNoRoom(ctx, run)
    })
}

/** Once, as the answers would have come. */
async function tellNoRoom(ctx: Context, { id, startedBy, tool, datasetName }: RunRow): Promise<void> {
  if (startedBy === null) return
  const params = { tool: tool?.name ?? '', name: datasetName }
  await ctx.db.transaction(async (tx) => {
    const fresh = await tx.insert(ownToolResults).values({ runId: id }).onConflictDoNothing().returning()
    if (fresh.length > 0)
      await addNotice(ctx, tx, { userId: startedBy, kind: 'tool_answers_no_room', params })
  })
}

/** The folder that was chosen, or the one around the first file; '' = none. */
async function folderOfSource(ctx: Context, runId: string): Promise<string> {
  const id = await sourceOf(ctx.db, runId)
  const [entry] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, id ?? '')))
  if (!entry) return ''
  return entry.kind === 'folder' ? entry.id : (entry.parentId ?? '')
}
