/** The first bytes of what arrives, and of what arrived before anybody looked at them. */
import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { HINT_BYTES, type PatientHint, patientHintOf } from '../../../infra/reader/patient-hint.ts'
import { sideBySide } from '../../../infra/side-by-side.ts'
import { isCode } from '../../../infra/storage/files.ts'

/** Of a file on this machine, before it is given to the store. */
export async function hintOfFile(path: string): Promise<PatientHint> {
  const file = await open(path)
  try {
    const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(HINT_BYTES), 0, HINT_BYTES, 0)
    return patientHintOf(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

const READ_AT_ONCE = 8

/** Of stored bytes; written down, so that they are read once. */
export async function learnHints(ctx: Context, digests: readonly string[]): Promise<void> {
  const hints = new Map<string, PatientHint>()
  await sideBySide(digests, READ_AT_ONCE, async (sha256) => {
    const hint = await hintOfStored(ctx, sha256)
    if (hint !== null) hints.set(sha256, hint)
  })
  await ctx.db.execute(sql`
    update blobs set patient_hint = found.hint
    from unnest(${sql.param([...hints.keys()])}::text[], ${sql.param([...hints.values()])}::text[]) as found (sha256, hint)
    where blobs.sha256 = found.sha256`)
}

/** Null when the bytes went meanwhile. */
async function hintOfStored({ storage }: Context, sha256: string): Promise<PatientHint | null> {
  try {
    const size = await storage.size(sha256)
    if (size === 0) return 'none'
    return patientHintOf(
      await buffer(storage.read(sha256, { start: 0, end: Math.min(size, HINT_BYTES) - 1 })),
    )
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}
