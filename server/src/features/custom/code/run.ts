/** Runs of approved code in the sandbox: started by an administrator, done by the worker. */
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { code as limits, sandbox } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import type { JobData } from '../../../infra/jobs.ts'
import { missingParts } from '../../../infra/sandbox/bubblewrap.ts'
import { runInSandbox } from '../../../infra/sandbox/sandbox.ts'
import { type CodeRow, codeRuns, codeUploads } from '../tables.ts'
import { withEntries, withStored } from './archive.ts'
import { hasDanger } from './intake.ts'
import { requireUpload } from './review.ts'
import { describeRun } from './show.ts'

/** Folders of runs: in a place that every user can enter, because the sandbox's user has no way into `DATA_DIR` or a private `TMPDIR`. */
export const runFolders = { parent: '/tmp', prefix: 'neuroloom-code-' } as const

export async function readiness(): Promise<Answer<'office/codeSandbox'>> {
  return { missing: missingParts() }
}

/** Only what another administrator than its member may run, of an upload that was approved. */
export async function start(
  ctx: Context,
  { id, path }: Parsed<'office/codeRun'>,
  { user, address }: Caller,
): Promise<Answer<'office/codeRun'>> {
  const missing = missingParts()
  if (missing.length > 0) throw fail('sandbox_missing', { parts: missing.join(', ') })
  const row = await ctx.db.transaction(async (tx) => {
    const [upload] = await tx.select().from(codeUploads).where(eq(codeUploads.id, id)).for('update')
    if (!upload) throw fail('code_missing')
    if (upload.userId === user.id) throw fail('not_allowed')
    if (upload.state !== 'approved') throw fail('code_unapproved')
    const entry = upload.entries.find((one) => one.path === path && !one.isFolder)
    if (!entry || !path.toLowerCase().endsWith('.py')) throw fail('code_no_python')
    const open = and(eq(codeRuns.uploadId, id), inArray(codeRuns.state, ['queued', 'running']))
    if ((await tx.$count(codeRuns, open)) > 0) throw fail('code_runs')
    const [added] = await tx
      .insert(codeRuns)
      .values({ id: newId(), uploadId: id, path, state: 'queued', startedBy: user.id, startedAt: ctx.now() })
      .returning()
    if (!added) throw new Error('The run was not written')
    await ctx.jobs.send(tx, 'code.run', { runId: added.id })
    await audit(tx, {
      ...{ actor: user.id, action: 'code.run', subject: `code:${id}`, address },
      after: { run: added.id, sha256: upload.sha256 },
    })
    return added
  })
  return describeRun(row)
}

export async function list(
  ctx: Context,
  { id }: Parsed<'office/codeRuns'>,
): Promise<Answer<'office/codeRuns'>> {
  await requireUpload(ctx, id)
  const rows = await ctx.db
    .select()
    .from(codeRuns)
    .where(eq(codeRuns.uploadId, id))
    .orderBy(desc(codeRuns.startedAt), desc(codeRuns.id))
    .limit(limits.runs)
  return { runs: rows.map(describeRun) }
}

/** The worker's part. A run that a killed worker left is ended by `endLost`, never begun again by itself. */
export async function run(ctx: Context, { runId }: JobData['code.run']): Promise<void> {
  const [taken] = await ctx.db
    .update(codeRuns)
    .set({ state: 'running', startedAt: ctx.now() })
    .where(and(eq(codeRuns.id, runId), eq(codeRuns.state, 'queued')))
    .returning()
  if (!taken) return
  const upload = await requireUpload(ctx, taken.uploadId)
  const missing = missingParts()
  const end = (result: Partial<typeof codeRuns.$inferInsert>) =>
    ctx.db
      .update(codeRuns)
      .set({ ...result, endedAt: ctx.now() })
      .where(and(eq(codeRuns.id, runId), eq(codeRuns.state, 'running')))
  if (missing.length > 0 || upload.state !== 'approved') {
    await end({ state: 'refused', missing })
    return
  }
  const folder = await mkdtemp(join(runFolders.parent, runFolders.prefix))
  try {
    await layOut(ctx, upload, { folder, top: topOf(taken.path) })
    await end({ state: 'ended', ...(await runInSandbox({ folder, path: taken.path })) })
  } catch (error) {
    await end({ state: 'ended', outcome: 'failed' })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Ends what no worker can be at any more. */
export async function endLost(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - sandbox.timeMs - sandbox.lostMs)
  await ctx.db
    .update(codeRuns)
    .set({ state: 'ended', outcome: 'failed', endedAt: ctx.now() })
    .where(and(eq(codeRuns.state, 'running'), lt(codeRuns.startedAt, before)))
}

const topOf = (path: string): string => path.slice(0, path.indexOf('/') + 1)

/** The folder of the code that is run, of regular files alone, for the sandbox's user to read. */
async function layOut(
  ctx: Context,
  { sha256, entries }: CodeRow,
  { folder, top }: { folder: string; top: string },
): Promise<void> {
  if (entries.some(hasDanger)) throw new Error('dangerous entries are never unpacked')
  const wanted = new Set(
    entries.flatMap(({ path, isFolder }, index) => (!isFolder && path.startsWith(top) ? [index] : [])),
  )
  await withStored(ctx, sha256, (path) =>
    withEntries(path, async (archive) => {
      for await (const { index, open } of archive.read(wanted)) {
        const target = join(folder, entries[index]?.path ?? '')
        if (!target.startsWith(`${folder}/`)) throw new Error('an entry leads out of its folder')
        await mkdir(dirname(target), { recursive: true })
        // `wx`: two entries never write to one file.
        await pipeline(await open(), createWriteStream(target, { flags: 'wx' }))
      }
    }),
  )
  await giveToSandbox(folder)
}

/** Whatever rights new files get here: its folders can be entered and its files read, by the sandbox's user. */
async function giveToSandbox(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveToSandbox(path)
    else await chmod(path, 0o444)
  }
}
