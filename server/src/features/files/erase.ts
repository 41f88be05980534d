import { rm } from 'node:fs/promises'
import { eq, or, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { dropScans } from './burned-in/burned-in.ts'
import { dropConversions } from './convert/convert.ts'
import { eraseRecords } from './patients/deidentification.ts'
import { eraseSharing } from './sharing/erase.ts'
import { files, uploads } from './tables.ts'
import { dropUnpacks } from './unpack/unpack.ts'
import { drop, stagedPath } from './upload/uploads.ts'

/** Rows deleted by one statement: a member may have hundreds of thousands. */
const AT_ONCE = 5000

/** Deletes a member's files and folders; bytes that nobody else has go with the next sweep. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const dropped = await ctx.db.transaction(async (tx) => {
    await dropUnpacks(tx, userId)
    await dropConversions(tx, userId)
    await dropScans(tx, userId)
    return drop(tx, or(eq(uploads.ownerId, userId), eq(uploads.memberId, userId)))
  })
  for (const id of dropped) await rm(stagedPath(ctx, id), { force: true })
  await eraseRecords(ctx, userId)
  await eraseSharing(ctx, userId)
  for (const kind of ['file', 'folder']) {
    let deleted = AT_ONCE
    while (deleted > 0) {
      const some = sql`select id from ${files} where owner_id = ${userId} and kind = ${kind} limit ${AT_ONCE}`
      const { rowCount } = await ctx.db.execute(sql`delete from ${files} where id in (${some})`)
      deleted = rowCount ?? 0
    }
  }
}
