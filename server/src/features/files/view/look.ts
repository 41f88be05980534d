import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Eyes } from '../access.ts'
import { requirePass } from '../share-links/pass.ts'
import { type Shown, shownLinkedUrl, shownUrl } from './content.ts'
import { eyesOf, type Looker } from './eyes.ts'
import type { ShownThrough } from './grants.ts'

/** Whoever looks, and the addresses that are good for them. */
export type Look = { who: Looker; eyes: Eyes; urlOf: (shown: Shown) => string }

export function memberLook(ctx: Context, caller: Caller): Look {
  const who = { userId: caller.user.id }
  return { who, eyes: eyesOf(ctx, who), urlOf: (shown) => shownUrl(ctx, caller, shown) }
}

/** Of whoever is shown a file, and may do nothing else with it. */
export function grantedLook(ctx: Context, caller: Caller, through: ShownThrough): Look {
  const who = { userId: caller.user.id, ...through }
  return { who, eyes: eyesOf(ctx, who), urlOf: (shown) => shownUrl(ctx, caller, shown, through) }
}

export async function linkLook(ctx: Context, pass: string): Promise<Look> {
  const who = { linkId: (await requirePass(ctx, pass)).link.id }
  return { who, eyes: eyesOf(ctx, who), urlOf: (shown) => shownLinkedUrl(ctx, who.linkId, shown) }
}
