/** Images that members show to others who have no right to the file. */
import type { View } from '@neuroloom/contract/viewing'
import type { Caller } from '../../../http/access.ts'
import { Failure, fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { accessTo, requireFile, type SeenFile } from '../access.ts'
import { namingNobody, requireWord } from '../patients/patients.ts'
import { seriesAmong, sliceFiles } from './dicom-series.ts'
import { memberEyes } from './eyes.ts'
import type { ShownThrough } from './grants.ts'
import { grantedLook, memberLook } from './look.ts'
import { look } from './view.ts'

/** The pixels and what is known of them, for whoever is shown the image: nothing that its owner called it. */
export async function viewShown(
  ctx: Context,
  caller: Caller,
  { id, series, title, ...through }: ShownThrough & { id: string; series: boolean; title: string },
): Promise<View> {
  const shown = await look(ctx, { id, series }, grantedLook(ctx, caller, through))
  const { files = 0, isShown = false } = shown.series ?? {}
  return {
    ...shown,
    name: title,
    series: shown.series && { files, isShown, description: '', opened: null },
    tags: [],
    tagsHidden: false,
  }
}

/**
 * Refuses what cannot be shown to others: what is not the member's own, what is no image that can be drawn now, and what
 * names its patient, or may.
 */
export async function requireShowable(
  ctx: Context,
  caller: Caller,
  { id, series }: { id: string; series: boolean },
): Promise<void> {
  const file = await requireFile(ctx.db, caller.user, id)
  const { kind, state, url } = await look(ctx, { id, series }, memberLook(ctx, caller))
  const isImage = kind === 'picture' || kind === 'volume'
  if (isImage && state === 'preparing') throw fail('shown_study_preparing')
  if (!isImage || url === null) throw fail('shown_study_no_image')
  const among = series ? await seriesAmong(ctx.db, await slicesBeside(ctx, caller, file), file.sha256) : null
  await requireNameless(ctx, among ? among.files.map((one) => one.id) : [id])
}

/** Whether the member still has it, and it still names nobody. */
export async function isShowable({ db }: Context, ownerId: string, id: string): Promise<boolean> {
  const accesses = await accessTo(db, { id: ownerId }, [id])
  return accesses.get(id) === 'own' && (await namingNobody(db, [id])).has(id)
}

const slicesBeside = (ctx: Context, { user }: Caller, file: SeenFile) =>
  sliceFiles(ctx.db, memberEyes(ctx.db, user.id), file)

async function requireNameless(ctx: Context, ids: readonly string[]): Promise<void> {
  try {
    await requireWord(ctx, ids, { withPatients: false })
  } catch (error) {
    if (error instanceof Failure && error.failure === 'patients_named') throw fail('shown_study_patient')
    throw error
  }
}
