/** Where labels of images were read, and where else they could be: shown on the page, decided by the owner. */
import * as z from 'zod'

/**
 * A column of a table, or all columns of marks of a table (`column` is ''). Without a table (`path` is '') `folders` or
 * `names`: what the folders or the files are called.
 */
export const labelColumnSchema = z.object({
  path: z.string().max(2000),
  column: z.string().max(500),
})
export type LabelColumn = z.infer<typeof labelColumnSchema>

const candidateSchema = labelColumnSchema.extend({
  /** What could be told apart, and of how many images something is said. */
  classes: z.int(),
  items: z.int(),
})

export const labelSourceSchema = z.object({
  /** The column that was read; null = folders, or the names of files (`name`). Further tables may say the same kind of thing of other images. */
  from: labelColumnSchema.nullable(),
  tables: z.array(z.string()),
  /** Of names: how one of them is written, with the part that tells the class. */
  name: z.object({ example: z.string(), from: z.int(), to: z.int() }).nullable(),
  /** In which letters the table is written, where nothing in it says so; else null. */
  encoding: z.string().nullable(),
  /** All that could have been meant, the one that counts first. */
  candidates: z.array(candidateSchema),
  /** Nothing but its contents speaks for the one that counts. */
  isUnsure: z.boolean(),
  /** Of a column: it is called neither like labels nor like marks. */
  isGuessed: z.boolean(),
  /** Marks that say neither yes nor no (−1 of CheXpert), read as no. */
  uncertain: z.int(),
})
export type LabelSource = z.infer<typeof labelSourceSchema>
