/** The samples speak the language in which the demo member signs in; what the member renamed keeps its name. */
import { type Language, languages } from '@neuroloom/contract/language'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { findByAccount } from '../features/accounts/account.ts'
import { datasets } from '../features/datasets/tables.ts'
import { nameColumns as fileNames } from '../features/files/names.ts'
import { files } from '../features/files/tables.ts'
import { networks, networkVersions } from '../features/networks/tables.ts'
import { nameColumns as projectNames } from '../features/projects/names.ts'
import { projects } from '../features/projects/tables.ts'
import type { Context } from '../infra/context.ts'
import type { Tx } from '../infra/db.ts'
import { textsOf } from '../infra/texts.ts'

export const DEMO_MEMBER = 'member@neuroloom.local'

type Change = { ownerId: string; from: Language; to: Language }

/** Does nothing for anybody but the demo member. */
export async function speakSamples(ctx: Context, userId: string, to: Language): Promise<void> {
  const member = await findByAccount(ctx.db, DEMO_MEMBER)
  if (member?.id !== userId) return
  await ctx.db.transaction(async (tx) => {
    for (const from of languages.filter((one) => one !== to))
      await translate(tx, { ownerId: userId, from, to })
  })
}

async function translate(tx: Tx, { ownerId, from, to }: Change): Promise<void> {
  const [was, is] = [textsOf('samples', from), textsOf('samples', to)]
  for (const sample of ['fields', 'kinds']) {
    const [folder, project] = [`${sample}.folder`, `${sample}.project`]
    const description = `${sample}.description`
    await tx
      .update(files)
      .set(fileNames(is[folder] ?? '', 'folder'))
      .where(
        and(
          ...[eq(files.ownerId, ownerId), eq(files.name, was[folder] ?? ''), eq(files.kind, 'folder')],
          ...[isNull(files.parentId), isNull(files.recycledAt)],
          sql`not exists (select 1 from files other where other.owner_id = ${ownerId} and other.parent_id is null
            and other.recycled_at is null and other.name = ${is[folder] ?? ''})`,
        ),
      )
    // Called like its folder, of which it was made.
    await tx
      .update(datasets)
      .set({ name: is[folder] ?? '' })
      .where(and(eq(datasets.ownerId, ownerId), eq(datasets.name, was[folder] ?? '')))
    await tx
      .update(projects)
      .set(projectNames({ name: is[project] ?? '', description: is[description] ?? '' }))
      .where(
        and(
          ...[eq(projects.ownerId, ownerId), eq(projects.name, was[project] ?? '')],
          ...[eq(projects.description, was[description] ?? ''), isNull(projects.recycledAt)],
          sql`not exists (select 1 from projects other where other.owner_id = ${ownerId}
            and other.recycled_at is null and other.name = ${is[project] ?? ''})`,
        ),
      )
  }
  await tx
    .update(networks)
    .set({ name: is.network ?? '' })
    .where(and(eq(networks.ownerId, ownerId), eq(networks.name, was.network ?? '')))
  const own = tx.select({ id: networks.id }).from(networks).where(eq(networks.ownerId, ownerId))
  await tx
    .update(networkVersions)
    .set({ note: is.networkNote ?? '' })
    .where(and(inArray(networkVersions.networkId, own), eq(networkVersions.note, was.networkNote ?? '')))
}
