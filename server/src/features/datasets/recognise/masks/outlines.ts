/** Masks of what programs outlined: a mask an image, made where the pictures are opened. */
import type { Problem } from '@neuroloom/contract/datasets'
import { cocoBoxes } from '../boxes/coco.ts'
import { cvatBoxes } from '../boxes/cvat.ts'
import { labelmeOutlines } from '../boxes/labelme.ts'
import { setAside } from '../boxes/set-aside.ts'
import { inTheirUnit } from '../boxes/units.ts'
import { vocBoxes } from '../boxes/voc.ts'
import { yoloBoxes } from '../boxes/yolo.ts'
import { inNaturalOrder } from '../class-folders.ts'
import type { Boxed, BoxedItem, Drawn, Folder, NoLayout, Pairs, ToldBox } from '../shapes.ts'

/** Masks of bytes hold no more beside the background. */
const MOST_VALUES = 255

/** Null when no text outlines anything, or draws a box round it. */
export async function outlinePairs(
  folder: Folder,
  images: readonly string[],
): Promise<Pairs | NoLayout | null> {
  const wanted = { withOutlines: true }
  const readers = [
    () => vocBoxes(folder, images, wanted),
    () => cocoBoxes(folder, images, wanted),
    () => labelmeOutlines(folder, images),
    () => cvatBoxes(folder, images, wanted),
    () => yoloBoxes(folder, images, wanted),
  ]
  let other: NoLayout | null = null
  for (const read of readers) {
    const found = await read()
    if (found === null) continue
    const made = found.layout === null ? found : pairsOf(inTheirUnit(found))
    if (made.layout !== null) return made
    other ??= made
  }
  return other
}

function pairsOf(boxed: Boxed): Pairs | NoLayout {
  const marks = boxed.items.flatMap(({ boxes }) => boxes)
  if (marks.every(({ outline }) => outline === undefined)) return noOutlines(boxed, marks.length)
  const items = new Map(boxed.items.map((item) => [item.path, item]))
  const problems = [...boxed.problems]
  const spoilt = new Set<string>()
  for (const { path, source, boxes } of boxed.items)
    for (const { outline, number, class: index } of boxes) {
      if (outline) continue
      const params = { class: boxed.classes[index] ?? '', number }
      problems.push({ path: source, reason: 'box_not_outline', params })
      // Without one of its outlines an image would teach that there is nothing.
      spoilt.add(path)
    }
  setAside({ items, problems, spoilt })
  const used = new Set([...items.values()].flatMap(({ boxes }) => boxes.map(({ class: index }) => index)))
  const names = [...used].map((index) => boxed.classes[index] ?? '').sort(inNaturalOrder)
  if (names.length > MOST_VALUES) return { layout: null, failure: 'layout_unknown', problems }
  const values = new Map(names.map((name, index) => [name, index + 1]))
  const valueFor = ({ class: index }: ToldBox): number => values.get(boxed.classes[index] ?? '') ?? 0
  return {
    ...{ layout: 'images_masks', task: 'segmentation', problems, labelsAlone: [], stray: [] },
    pairs: [...items.values()].map((item) => ({
      ...{ image: item.path, label: item.source, part: item.part },
      drawn: drawnOf(item, valueFor),
    })),
    imagesAlone: boxed.unlabelled,
    known: {
      classes: ['background', ...names],
      maskValues: Object.fromEntries([['0', 0], ...names.map((_, index) => [String(index + 1), index + 1])]),
    },
  }
}

const drawnOf = ({ size, unit, boxes }: BoxedItem, valueFor: (box: ToldBox) => number): Drawn => ({
  size,
  unit,
  outlines: boxes.flatMap((box) => (box.outline ? [{ ...box.outline, value: valueFor(box) }] : [])),
})

/** Boxes do not say which pixels belong to what they are drawn round. */
function noOutlines({ items, problems }: Boxed, count: number): NoLayout {
  const [first] = items.filter(({ boxes }) => boxes.length > 0)
  const boxes: Problem[] = first
    ? [{ path: first.source, reason: 'boxes_not_outlines', params: { count } }]
    : []
  return { layout: null, failure: 'nothing_matches', problems: [...problems, ...boxes] }
}
