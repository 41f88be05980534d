import { type SQL, sql } from 'drizzle-orm'
import { derivedImages, derivedSources } from './tables.ts'

/** The SHA-256 of the files that bytes were derived from. */
export const derivedFrom = (sha256: SQL): SQL => sql`
  select source.sha256
  from ${derivedImages} made
  join ${derivedSources} source on source.key = made.key
  where made.sha256 = ${sha256}`
