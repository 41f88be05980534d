import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { entriesOf } from '../listing.ts'
import { placesOf, sliceFiles } from '../view/dicom-series.ts'
import { memberEyes } from '../view/eyes.ts'

/** What an entry of a series stands for; of any other file, that file. */
export async function seriesFiles(
  ctx: Context,
  { id }: Parsed<'files/seriesFiles'>,
  caller: Caller,
): Promise<Answer<'files/seriesFiles'>> {
  const eyes = memberEyes(ctx.db, caller.user.id)
  const file = await eyes.find(id)
  const slices = await sliceFiles(ctx.db, eyes, file)
  const places = await placesOf(ctx.db, slices)
  const own = places.get(file.sha256)
  const alike = slices.filter(({ sha256 }) => {
    const place = places.get(sha256)
    return own?.isImage && own.seriesUid !== null && place?.isImage && place.seriesUid === own.seriesUid
  })
  const ids = alike.some((one) => one.id === id) ? alike.map((one) => one.id) : [id]
  return { entries: await entriesOf(ctx, ctx.db, { caller, ids, access: file.access }) }
}
