import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { toolbox as limits } from '@neuroloom/contract/limits'
import type { WeightsSource } from '@neuroloom/contract/toolbox/inspection'
import { eq } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { requireFile } from '../files/access.ts'
import * as networks from '../networks/service.ts'
import { refused } from '../recipes/service.ts'
import { findTrained } from '../runs/service.ts'

/** The file is read by a process of its own, which opens no other. */
export async function inspect(
  ctx: Context,
  { source, other }: Parsed<'toolbox/inspect'>,
  { user }: Caller,
): Promise<Answer<'toolbox/inspect'>> {
  const first = await weightsOf(ctx, user, source)
  const both = other === null ? [first] : [first, await weightsOf(ctx, user, other)]
  for (const { sha256 } of both) await requireSmall(ctx, sha256)
  const inspected = await ctx.inspections
    .ask(user.id, async (folder) => {
      const files = both.map((_, index) => String(index))
      for (const [index, { sha256 }] of both.entries())
        await ctx.storage.linkInto(sha256, join(folder, String(index)))
      const asked = { files, most: limits.inspectedTensors, memoryBytes: limits.inspectedMemory }
      await writeFile(join(folder, 'inspect.json'), JSON.stringify(asked))
    })
    .catch(refused)
  const { plan } = first
  const network = plan === null ? null : await ctx.aside.ask(user.id, networks.layersWork, { plan })
  return { ...inspected, network }
}

async function weightsOf(
  ctx: Context,
  user: SessionUser,
  { from, id }: WeightsSource,
): Promise<{ sha256: string; plan: string | null }> {
  if (from === 'file') return { sha256: (await requireFile(ctx.db, user, id, 'view')).sha256, plan: null }
  const { weightsSha256, plan } = await findTrained(ctx, user, id)
  return { sha256: weightsSha256, plan }
}

async function requireSmall(ctx: Context, sha256: string): Promise<void> {
  const [blob] = await ctx.db
    .select({ sizeBytes: blobs.sizeBytes })
    .from(blobs)
    .where(eq(blobs.sha256, sha256))
  if (!blob) throw fail('missing')
  if (blob.sizeBytes > limits.inspectedBytes) throw fail('work_too_large')
}
