import { and, eq, inArray, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { deidentifications } from './deidentification-tables.ts'

/** How many of these bytes of a member's were de-identified when they were uploaded. */
export const countDeidentified = (
  db: Db,
  { ownerId, digests }: { ownerId: string; digests: SQLWrapper },
): Promise<number> =>
  db.$count(
    deidentifications,
    and(eq(deidentifications.ownerId, ownerId), inArray(deidentifications.sha256, digests)),
  )
