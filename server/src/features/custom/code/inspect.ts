/** The worker looks through the content of an upload, once. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { JobData } from '../../../infra/jobs.ts'
import { codeUploads } from '../tables.ts'
import { withStored } from './archive.ts'
import { inspectContent } from './content.ts'
import { countFindings } from './intake.ts'

export async function inspect(ctx: Context, { uploadId }: JobData['code.inspect']): Promise<void> {
  const open = and(eq(codeUploads.id, uploadId), isNull(codeUploads.inspectedAt))
  const [row] = await ctx.db.select().from(codeUploads).where(open)
  if (!row) return
  await withStored(ctx, row.sha256, async (path) => {
    const entries = await inspectContent(path, row.entries)
    await ctx.db
      .update(codeUploads)
      .set({ entries, findings: countFindings(entries), inspectedAt: ctx.now() })
      .where(open)
  })
}
