import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { and, eq } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { type Failure, fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { AskFailure } from '../../infra/engine/asked.ts'
import { newId } from '../../infra/ids.ts'
import { textsOf } from '../../infra/texts.ts'
import { requireDataset } from '../datasets/access.ts'
import { datasetItems } from '../datasets/tables.ts'
import { lookWork } from './look-plan.ts'
import { readable } from './reader.ts'

/** A training that left weights; its plan as text. */
export type Trained = { plan: string; classes: number; weightsSha256: string }
/** Refuses as `run_missing` or `missing`. */
export type FindTrained = (ctx: Context, user: SessionUser, runId: string) => Promise<Trained>
declare module '../../infra/feature.ts' {
  interface Questions {
    /** The weights of a training. */
    trained: FindTrained
  }
}

export async function look(
  ctx: Context,
  { text, nodes, image, runId }: Parsed<'networks/look'>,
  { user, language }: Caller,
): Promise<Answer<'networks/look'>> {
  const trained = runId === null ? null : await findTrained(ctx, user, runId)
  const folder = join(ctx.config.dataDir, 'looks', newId())
  const isSample = image.from === 'sample'
  try {
    const wish = { text, nodes, trained, folder, isSample }
    const prepared = readable(await ctx.aside.ask(user.id, lookWork, wish))
    if ('mistakes' in prepared) throw fail('network_wrong', { count: prepared.mistakes })
    if ('refused' in prepared) throw refused(prepared.refused, language)
    const picture = isSample ? null : await itemImage(ctx, user, image)
    const wanted = new Map(prepared.wanted)
    const asked = async (into: string): Promise<void> => {
      for (const name of isSample ? ['look.json', 'image'] : ['look.json'])
        await rename(join(folder, name), join(into, name))
      if (picture !== null) await ctx.storage.linkInto(picture, join(into, 'image'))
      if (trained) await ctx.storage.linkInto(trained.weightsSha256, join(into, 'weights'))
    }
    const found = await ctx.looks.ask(user.id, asked).catch((error: unknown) => {
      if (!(error instanceof AskFailure)) throw error
      if (error.reason === 'own') throw fail('too_much_at_once')
      throw error.reason === 'busy' ? fail('look_busy') : refused(error.reason, language)
    })
    return { image: found.image, seen: named(found.seen, wanted), values: named(found.values, wanted) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function findTrained(ctx: Context, user: SessionUser, runId: string): Promise<Trained> {
  const [find] = ctx.told('trained')
  if (!find) throw fail('run_missing')
  return find(ctx, user, runId)
}

const refused = (reason: string, language: Language): Failure =>
  fail('look_failed', { reason: textsOf('look', language)[reason] ?? reason })

const named = <One extends { node: string }>(found: One[], wanted: ReadonlyMap<string, string[]>): One[] =>
  found.flatMap((one) => (wanted.get(one.node) ?? []).map((node) => ({ ...one, node })))

async function itemImage(
  ctx: Context,
  user: SessionUser,
  { datasetId, itemId }: { datasetId: string; itemId: string },
): Promise<string> {
  await requireDataset(ctx.db, user, datasetId, 'view')
  const [item] = await ctx.db
    .select({ sha256: datasetItems.imageSha256 })
    .from(datasetItems)
    .where(and(eq(datasetItems.id, itemId), eq(datasetItems.datasetId, datasetId)))
  if (!item) throw fail('missing')
  return item.sha256
}
