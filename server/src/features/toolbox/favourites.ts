import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { ownToolId, ownToolName, toolNames } from '@neuroloom/contract/toolbox/toolbox'
import { and, asc, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { unavailableTo } from './access.ts'
import { requireSeen, seenTools } from './own/access.ts'
import { toolFavourites } from './tables.ts'

export async function home(ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'toolbox/home'>> {
  const rows = await ctx.db
    .select({ tool: toolFavourites.tool })
    .from(toolFavourites)
    .where(eq(toolFavourites.userId, user.id))
    .orderBy(asc(toolFavourites.markedAt), asc(toolFavourites.tool))
  const own = (await seenTools(ctx, user)).map(({ id }) => ownToolName(id))
  const known = new Set<string>([...toolNames, ...own])
  // A tool that there is no more is nobody's favourite.
  const favourites = rows.map(({ tool }) => tool).filter((tool) => known.has(tool))
  return { favourites, unavailable: unavailableTo(ctx, user) }
}

export async function setFavourite(
  ctx: Context,
  { tool, isFavourite }: Parsed<'toolbox/setFavourite'>,
  { user }: Caller,
): Promise<Answer<'toolbox/setFavourite'>> {
  const { userId, tool: name } = toolFavourites
  if (isFavourite) {
    const own = ownToolId(tool)
    if (own !== null) await requireSeen(ctx, user, own)
    const row = { userId: user.id, tool, markedAt: ctx.now() }
    await ctx.db.insert(toolFavourites).values(row).onConflictDoNothing()
  } else {
    await ctx.db.delete(toolFavourites).where(and(eq(userId, user.id), eq(name, tool)))
  }
  return {}
}
