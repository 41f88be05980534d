import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { masks as limits } from '@neuroloom/contract/limits'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Found } from '../folders.ts'
import { ask } from './ask.ts'
import { masksIn } from './match.ts'

/** As many masks of a folder as one look takes; the page asks for the next ones. */
export async function measure(
  ctx: Context,
  { folderId, from }: Parsed<'recipes/measure'>,
  { user }: Caller,
): Promise<Answer<'recipes/measure'>> {
  const { masks } = await masksIn(ctx.db, user, folderId)
  if (masks.length === 0) throw fail('mask_nothing')
  const some = slice(masks, from)
  const { measured } = await ask(ctx, user, { work: null, samples: [], heads: [], measured: some })
  const next = from + measured.length
  return {
    total: masks.length,
    next: next < masks.length && measured.length > 0 ? next : null,
    masks: measured.map((one, index) => ({ path: some[index]?.path ?? '', ...one })),
  }
}

function slice(masks: readonly Found[], from: number): Found[] {
  const some: Found[] = []
  let bytes = 0
  for (const mask of masks.slice(from, from + limits.measured)) {
    bytes += mask.sizeBytes
    if (some.length > 0 && bytes > limits.measureBytes) break
    some.push(mask)
  }
  return some
}
