/** Masks of what LabelMe outlined: a mask an image, made where the pictures are opened. */

import { labelmeOutlines } from '../boxes/labelme.ts'
import { inNaturalOrder } from '../class-folders.ts'
import type { Folder, Pairs } from '../shapes.ts'

/** Masks of bytes hold no more beside the background. */
const MOST_VALUES = 255

/** Null when no text outlines anything. */
export async function outlinePairs(folder: Folder, images: readonly string[]): Promise<Pairs | null> {
  const read = await labelmeOutlines(folder, images)
  if (read === null) return null
  const { told, problems, spoilt } = read
  const names = [...new Set([...told.values()].flatMap(({ named }) => named.map(({ name }) => name)))].sort(
    inNaturalOrder,
  )
  if (names.length > MOST_VALUES) return null
  const values = new Map(names.map((name, index) => [name, index + 1]))
  return {
    ...{ layout: 'images_masks', task: 'segmentation', problems, labelsAlone: [], stray: [] },
    pairs: [...told.values()]
      .sort((one, other) => (one.path < other.path ? -1 : 1))
      .map(({ path, source, size, named }) => ({
        image: path,
        label: source,
        drawn: {
          size,
          outlines: named.map(({ name, points }) => ({ value: values.get(name) ?? 0, points })),
        },
      })),
    imagesAlone: images.filter((path) => !told.has(path) && !spoilt.has(path)),
    known: {
      classes: ['background', ...names],
      maskValues: Object.fromEntries([
        ['0', 0],
        ...names.map((name) => [String(values.get(name)), values.get(name) ?? 0] as const),
      ]),
    },
  }
}
