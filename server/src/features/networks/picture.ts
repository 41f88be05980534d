import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { canDownloadPicture } from '@neuroloom/contract/limits'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { standingOf } from '../plans/service.ts'
import { requireNetwork } from './access.ts'
import { drawingOf } from './reader.ts'

/** For silver members and up, and on a hospital’s own server for everybody; with the words of the caller’s language. */
export async function picture(
  ctx: Context,
  { id }: Parsed<'networks/picture'>,
  { user, language }: Caller,
): Promise<Answer<'networks/picture'>> {
  const { text, mistakes } = await requireNetwork(ctx.db, user, id)
  if (!canDownloadPicture(standingOf(ctx, user))) throw fail('picture_level')
  if (mistakes > 0) throw fail('network_wrong', { count: mistakes })
  return drawingOf(ctx, { memberId: user.id, text, language })
}
