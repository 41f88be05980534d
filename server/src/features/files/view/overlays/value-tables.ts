import { viewing as limits } from '@neuroloom/contract/limits'
import { decodeText, encodingOfText } from '@neuroloom/contract/names/text-encodings'
import { valueNames, valueTableNames } from '@neuroloom/contract/reading/value-names'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Context } from '../../../../infra/context.ts'
import type { Eyes, SeenFile } from '../../access.ts'
import { files } from '../../tables.ts'
import { isSeen } from '../eyes.ts'
import { headOf } from '../sources.ts'

/** nnU-Net and others name the values of all masks in one file. */
const others = /^(dataset|labels|classes)\.json$/i
const isTable = (name: string): boolean => valueTableNames.test(name) || others.test(name)

/** What a table calls a mask's values: one in its folder, else one in the folder above. */
export async function tableNamesOf(
  ctx: Context,
  eyes: Eyes,
  mask: SeenFile,
): Promise<ReadonlyMap<string, string>> {
  for (const folder of await foldersOf(ctx, mask)) {
    const found = await ctx.db
      .select({ id: files.id, name: files.name, sha256: files.sha256, sizeBytes: files.sizeBytes })
      .from(files)
      .where(
        and(
          eq(files.ownerId, mask.ownerId),
          sql`coalesce(${files.parentId}, '') = ${folder}`,
          eq(files.kind, 'file'),
          isNull(files.recycledAt),
          lte(files.sizeBytes, limits.valueTableBytes),
          sql`${files.type} in ('txt', 'csv', 'names', 'json')`,
        ),
      )
      .orderBy(files.sortName)
      .limit(limits.overlaysBeside)
    for (const { id, sha256, ...table } of found.filter(({ name }) => isTable(name))) {
      if (sha256 === null || !(await isSeen(eyes, id))) continue
      const bytes = await headOf(ctx, { sha256, sizeBytes: table.sizeBytes }, limits.valueTableBytes)
      const names = valueNames(decodeText(bytes, encodingOfText(bytes)))
      if (names.size > 0) return names
    }
  }
  return new Map()
}

async function foldersOf({ db }: Context, { parentId }: SeenFile): Promise<string[]> {
  if (parentId === null) return ['']
  const [above] = await db.select({ parentId: files.parentId }).from(files).where(eq(files.id, parentId))
  return [parentId, above?.parentId ?? '']
}
