import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { structurePicture } from '@neuroloom/contract/network/picture'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireNetwork } from './access.ts'
import { library } from './library.ts'
import { mayDownloadPicture } from './own.ts'
import { documentOf } from './reader.ts'
import { textsOf } from './texts.ts'

/** For silver members and up, and on a hospital's own server for everybody; with the words of the caller's language. */
export async function picture(
  ctx: Context,
  { id }: Parsed<'networks/picture'>,
  { user, language }: Caller,
): Promise<Answer<'networks/picture'>> {
  const { text, mistakes } = await requireNetwork(ctx.db, user, id)
  if (!mayDownloadPicture(ctx, user)) throw fail('picture_level')
  if (mistakes > 0) throw fail('network_wrong', { count: mistakes })
  const texts = textsOf('layers', language)
  const drawn = structurePicture(documentOf(text), {
    vocabulary: library,
    titles: (key) => texts[key] ?? '',
  })
  return { svg: drawn.svg, width: Math.ceil(drawn.width), height: Math.ceil(drawn.height) }
}
