import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { CountedLimit } from '@neuroloom/contract/membership/counted'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { countShared } from './access.ts'
import { countBytes, limitsOf } from './service.ts'

/** How much of a limit a member uses: the very functions by which it is kept. */
type Counts = { readonly [Name in CountedLimit]?: (db: Db, ownerId: string) => Promise<number> }
declare module '../../infra/feature.ts' {
  interface Questions {
    /** What a feature counts against the limits of a member's level. */
    counts: Counts
  }
}

/** Those alone that something counts. */
export async function used(
  ctx: Context,
  { names }: Parsed<'plans/used'>,
  { user }: Caller,
): Promise<Answer<'plans/used'>> {
  const shared = once(() => countShared(ctx, user.id))
  const own: Counts = {
    storageBytes: countBytes,
    sharedDatasets: async () => (await shared()).datasets,
    sharedModels: async () => (await shared()).models,
  }
  const countsOf = (name: CountedLimit) => [own, ...ctx.told('counts')].find((told) => told[name])?.[name]
  const limits = limitsOf(ctx, user)
  const found = names.map(async (name) => {
    const count = countsOf(name)
    return count ? [{ name, used: await count(ctx.db, user.id), limit: limits[name] }] : []
  })
  return { limits: (await Promise.all(found)).flat() }
}

/** What is shared is found by one search, whichever kind is asked for. */
function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  return () => {
    found ??= find()
    return found
  }
}
