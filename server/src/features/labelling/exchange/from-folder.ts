/** The files of a cloud folder as readers of labels want them; masks are decoded by the reading program. */
import { mapFrom } from '@neuroloom/contract/labelling/patch'
import { labelExchange } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { isTextName, textsOf } from '../../datasets/service.ts'
import { type Mask, readMasks, walk } from '../../files/service.ts'
import { targetFinder } from '../formats/read/find.ts'
import type { Decoded, From } from '../formats/read/from.ts'
import type { Target } from '../formats/shapes.ts'

type FromFolder = { from: From; oversized: string[] }
type Where = { memberId: string; folderId: string; targets: readonly Target[] }

export async function fromFolder(ctx: Context, { memberId, folderId, targets }: Where): Promise<FromFolder> {
  const { files } = await walk(ctx.db, { id: memberId }, folderId)
  const byPath = new Map(files.map((file) => [file.path, file]))
  const oversized = files.filter(
    ({ path, sizeBytes }) =>
      isTextName(path, ['json', 'xml', 'csv', 'tsv', 'txt']) && sizeBytes > labelExchange.listBytes,
  )
  const from: From = {
    paths: files
      .map(({ path }) => path)
      .filter((path) => !path.split('/').some((part) => part.startsWith('.'))),
    read: textsOf(ctx.storage, files).read,
    async *masks(paths) {
      const asked = paths.flatMap((path) => byPath.get(path) ?? [])
      let index = 0
      for await (const mask of readMasks(
        ctx,
        asked.map(({ path, ...bytes }) => ({ name: baseOf(path), ...bytes })),
      ))
        yield decoded(asked[index++]?.path ?? '', mask)
    },
    async inside(bytes) {
      const masks: Awaited<ReturnType<From['inside']>> = []
      for await (const mask of readMasks(
        ctx,
        bytes.map((one, index) => ({ name: `${index}.png`, bytes: one })),
      ))
        masks.push(decoded('', mask))
      return masks
    },
    find: targetFinder(targets),
    targets,
  }
  return { from, oversized: oversized.map(({ path }) => path) }
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function decoded(
  path: string,
  mask: Mask,
): Decoded | (Extract<Mask, { refused: unknown }> & { path: string }) {
  if ('refused' in mask) return { path, ...mask }
  return { ...mask, path, layers: mask.layers.map((bytes) => mapFrom(mask.size, bytes)) }
}
