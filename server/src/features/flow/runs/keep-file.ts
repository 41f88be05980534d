import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import {
  addFiles,
  childrenOf,
  cleanName,
  freeName,
  lockFolder,
  ownerOf,
  queueCheck,
  record,
} from '../../files/service.ts'
import * as plans from '../../plans/service.ts'
import { requireRun } from '../../runs/access.ts'
import { runArtifacts } from '../../runs/tables.ts'
import { factsOf } from './facts.ts'

const endings = { flow_mask: 'mask', flow_angiogram: 'angiogram' } as const

/** Longer names of studies are cut: the number and the kind have to be read. */
const STEM_LENGTH = 120

/** Whoever may look at the run may have it; it counts where it is put. */
export async function keepFile(
  ctx: Context,
  { runId, kind, folderId }: Parsed<'flow/keepFile'>,
  { user }: Caller,
): Promise<Answer<'flow/keepFile'>> {
  const kept = await ctx.db.transaction(async (tx) => {
    const { id: ownerId } = await lockFolder(tx, user, folderId)
    const { name, ending, sha256, sizeBytes } = await requireVolume(tx, user, { runId, kind })
    await plans.reserve(ctx, tx, await ownerOf(tx, { ownerId }), sizeBytes)
    const taken = new Set((await childrenOf(tx, ownerId, [folderId])).map((child) => child.name))
    const called = freeName(cleanName(name) ?? kind, ending, taken)
    const target = { ownerId, parentId: folderId }
    const made = [{ name: called, sha256, sizeBytes }]
    const [fileId = ''] = await addFiles(ctx, tx, { memberId: user.id, target, made })
    await plans.commit(tx, ownerId, { reservedBytes: sizeBytes, usedBytes: sizeBytes })
    const entry = { id: fileId, ownerId, name: called }
    await record(ctx, tx, [{ action: 'copy', actorId: user.id, entry }])
    return { fileId, name: called, ownerId }
  })
  queueCheck(ctx, kept.ownerId)
  return { fileId: kept.fileId, name: kept.name }
}

/** What it is called after: the study as it was called then, and the number of the run. */
async function requireVolume(
  tx: Tx,
  user: Caller['user'],
  { runId, kind }: Pick<Parsed<'flow/keepFile'>, 'runId' | 'kind'>,
) {
  const { number } = await requireRun(tx, user, runId, 'view')
  const facts = await factsOf(tx, runId)
  if (!facts) throw fail('run_missing')
  const [artifact] = await tx
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, runId), eq(runArtifacts.kind, kind)))
  if (!artifact) throw fail('missing')
  const study = [...facts.study.name.replace(/[/\\]/g, '-')].slice(0, STEM_LENGTH).join('')
  const { sha256, sizeBytes } = artifact
  return { name: `${study} ${number} ${endings[kind]}`, ending: '.nii.gz', sha256, sizeBytes }
}
