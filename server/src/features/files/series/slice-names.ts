import { sql } from 'drizzle-orm'
import { files } from '../tables.ts'

/** As a condition on a file: it may be a slice, named as DICOM, or not at all, or by a number. */
export const isSliceName = sql`(${files.type} in ('', 'dcm', 'dicom', 'ima') or ${files.type} ~ '^[0-9]+$')`
