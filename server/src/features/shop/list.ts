/** What is in the shop, and what a member has of it. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import { sizes } from '@neuroloom/contract/shop/words'
import { and, asc, desc, eq, gte, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { containing } from '../../infra/db.ts'
import { requireModule } from '../../infra/modules/modules.ts'
import { users } from '../accounts/tables.ts'
import { heldBy, newestOf } from './access.ts'
import { cardsOf, namesOf, networkOf } from './show.ts'
import { listings, listingVersions, shopReviews, shopUses } from './tables.ts'

export async function list(
  ctx: Context,
  { order, page, held: isHeldWanted, ...wish }: Parsed<'shop/list'>,
  { user }: Caller,
): Promise<Answer<'shop/list'>> {
  if (!isHeldWanted) requireModule(ctx, 'shop')
  const held = await heldBy(ctx, ctx.db, user.id)
  const isMine = inArray(listings.id, [...held.keys()])
  const where = and(
    // Who has a model finds it also when it is sold no more.
    isHeldWanted ? and(isMine, sql`${listings.version} > 0`) : eq(listings.state, 'listed'),
    ...wishes(wish),
  )
  const source = () =>
    ctx.db
      .select({ listing: listings })
      .from(listings)
      .innerJoin(
        listingVersions,
        and(eq(listingVersions.listingId, listings.id), eq(listingVersions.number, listings.version)),
      )
      .leftJoin(users, eq(users.id, listings.sellerId))
      .where(where)
  const rows = await source()
    .orderBy(...orderings[order], asc(listings.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    listings: await cardsOf(
      ctx,
      rows.map(({ listing }) => listing),
      held,
    ),
    total: await ctx.db.$count(source().as('found')),
    pageSize: limits.page,
  }
}

type Wish = Omit<Parsed<'shop/list'>, 'order' | 'page' | 'held'>

function wishes({ search, task, organ, modality, licence, size }: Wish): (SQL | undefined)[] {
  const about = (name: string, value: string | null) =>
    value === null ? undefined : sql`${listings.about} ->> ${name} = ${value}`
  const [from, below] = size === null ? [null, null] : sizes[size]
  return [
    ...search.split(/\s+/).map((word) => (word === '' ? undefined : says(word))),
    task === null ? undefined : eq(listings.task, task),
    about('organ', organ),
    about('modality', modality),
    about('licence', licence),
    from === null
      ? undefined
      : and(gte(listingVersions.parameters, from), lt(listingVersions.parameters, below)),
  ]
}

function says(word: string): SQL | undefined {
  const like = containing(word)
  const texts = ['introduction', 'features', 'population'].map((name) => sql`${listings.about} ->> ${name}`)
  return or(
    ilike(listings.name, like),
    ilike(users.nickName, like),
    ilike(listingVersions.network, like),
    ilike(listingVersions.networkName, like),
    ...texts.map((text) => sql`${text} ilike ${like}`),
  )
}

const used = sql`(select count(distinct ${shopUses.projectId}) from ${shopUses}
  where ${shopUses.listingId} = ${listings.id} and ${shopUses.kind} <> 'drive')`
const rated = sql`(select avg(${shopReviews.stars}) from ${shopReviews}
  where ${shopReviews.listingId} = ${listings.id})`

const orderings: Record<Parsed<'shop/list'>['order'], SQL[]> = {
  newest: [desc(listings.listedAt)],
  used: [sql`${used} desc`, desc(listings.listedAt)],
  rating: [sql`${rated} desc nulls last`, desc(listings.listedAt)],
  price: [asc(listings.priceYuan), desc(listings.listedAt)],
}

/** What can be used at once: also what is sold no more, but nothing that was taken out because of what it is. */
export async function held(
  ctx: Context,
  { task }: Parsed<'shop/held'>,
  { user }: Caller,
): Promise<Answer<'shop/held'>> {
  const ways = await heldBy(ctx, ctx.db, user.id)
  const rows = await ctx.db
    .select()
    .from(listings)
    .where(
      and(
        inArray(listings.id, [...ways.keys()]),
        sql`${listings.version} > 0 and ${listings.state} <> 'banned'`,
        task === null ? undefined : eq(listings.task, task),
      ),
    )
    .orderBy(asc(listings.name), asc(listings.id))
  const versions = await newestOf(ctx.db, rows)
  const names = await namesOf(
    ctx.db,
    rows.map(({ sellerId }) => sellerId),
  )
  return {
    models: rows.flatMap(({ id, name, task: of, version, sellerId }) => {
      const [way, newest] = [ways.get(id), versions.get(id)]
      if (!way || !newest) return []
      const { classes, parameters, tested, recipe } = newest
      return [
        {
          ...{ id, name, task: of, version, way, classes, parameters },
          ...{ seller: names.get(sellerId) ?? '', score: tested.score },
          ...{ network: networkOf(newest), hasRecipe: recipe !== null },
        },
      ]
    }),
  }
}
