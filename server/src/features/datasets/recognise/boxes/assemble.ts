/** Images with boxes: one item an image, boxes in pixels within it. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { Box, FileFacts } from '@neuroloom/contract/engine'
import { spanOf, summarise } from '../../data-facts.ts'
import { type Assembled, type Boxed, type BoxedItem, type Look, plainItem, type ToldBox } from '../shapes.ts'

type Usable = { item: BoxedItem; facts: FileFacts; boxes: Box[] }

export function assembleBoxes(layout: Boxed, look: Look): Assembled {
  const problems: Problem[] = [
    ...layout.problems,
    ...layout.unlabelled.map((path): Problem => ({ path, reason: 'label_missing', params: {} })),
  ]
  const usable: Usable[] = []
  for (const item of layout.items) {
    const { facts, reason } = look.check(item.path)
    if (!facts) problems.push({ path: item.path, reason, params: {} })
    else if (!isSizeAsTold(item, facts)) problems.push(otherSize(item, facts))
    else {
      const { boxes, found } = boxesIn(item, { facts, classes: layout.classes })
      problems.push(...found)
      if (mayTeach(boxes, found)) usable.push({ item, facts, boxes })
      else problems.push({ path: item.path, reason: 'labels_not_used', params: {} })
    }
  }
  return gather(layout.classes, usable, problems)
}

function gather(all: string[], usable: Usable[], problems: Problem[]): Assembled {
  const counts = all.map(() => 0)
  const sides: number[] = []
  for (const { boxes } of usable) {
    for (const { class: index, x0, y0, x1, y1 } of boxes) {
      counts[index] = (counts[index] ?? 0) + 1
      sides.push(Math.round(Math.max(x1 - x0, y1 - y0)))
    }
  }
  all.forEach((name, index) => {
    if (counts[index] === 0) problems.push({ path: name, reason: 'class_empty', params: {} })
  })
  // Empty classes are left out, so the others move up.
  const kept = [...all.keys()].filter((index) => (counts[index] ?? 0) > 0)
  const places = new Map(kept.map((index, place) => [index, place]))
  const facts = summarise(
    usable.map((one) => one.facts),
    kept.map((index) => counts[index] ?? 0),
    {
      boxSide: sides.length === 0 ? null : spanOf(sides),
      turnedBoxes: usable.filter(mayBeTurned).length,
    },
  )
  return {
    items: usable.map(({ item, facts: seen, boxes }) => ({
      ...plainItem(item.path, seen),
      boxes: boxes.map((box) => ({ ...box, class: places.get(box.class) ?? 0 })),
      part: item.part,
    })),
    problems,
    classes: kept.map((index) => all[index] ?? ''),
    maskValues: {},
    channels: facts?.channels ?? 1,
    factor: null,
    facts,
    failure: sides.length === 0 ? 'nothing_matches' : null,
  }
}

/** A box without an area marks nothing; but an image all of whose boxes are so, or that lost one, would teach that there is nothing. */
const mayTeach = (boxes: readonly Box[], found: readonly Problem[]): boolean =>
  found.every(({ reason }) => reason === 'box_empty' || reason === 'box_twice') &&
  (found.length === 0 || boxes.length > 0)

/** Boxes of an image that was scaled or turned since would lie elsewhere. */
const isSizeAsTold = ({ size }: BoxedItem, { width, height }: FileFacts): boolean =>
  size === null || (size.width === width && size.height === height)

/** The size does not tell whether boxes were drawn before or after the picture was turned; where it differs, they were before. */
function mayBeTurned({ item: { size }, facts: { turn = 1, width, height }, boxes }: Usable): boolean {
  if (turn === 1 || boxes.length === 0) return false
  return size === null || turn < 5 || width === height
}

const otherSize = ({ path, size }: BoxedItem, { width, height }: FileFacts): Problem => ({
  path,
  reason: 'size_differs',
  params: { width, height, maskWidth: size?.width ?? 0, maskHeight: size?.height ?? 0 },
})

/** Boxes that lie partly outside are clipped; those of which nothing is left are named, and so are copies of others. */
function boxesIn(
  { source, unit, boxes }: BoxedItem,
  { facts: { width, height }, classes }: { facts: FileFacts; classes: string[] },
): { boxes: Box[]; found: Problem[] } {
  const found: Problem[] = []
  const seen = new Set<string>()
  const [across, down] = unit === 'shares' ? [width, height] : [1, 1]
  const inside = boxes.flatMap(({ number, ...told }: ToldBox): Box[] => {
    const params = { class: classes[told.class] ?? '', number }
    if (!(told.x1 > told.x0 && told.y1 > told.y0)) {
      found.push({ path: source, reason: 'box_empty', params })
      return []
    }
    const box = {
      class: told.class,
      x0: clip(told.x0 * across, width),
      y0: clip(told.y0 * down, height),
      x1: clip(told.x1 * across, width),
      y1: clip(told.y1 * down, height),
    }
    const isInside = box.x1 > box.x0 && box.y1 > box.y0
    const key = Object.values(box).join(' ')
    if (isInside && !seen.has(key)) {
      seen.add(key)
      return [box]
    }
    found.push({ path: source, reason: isInside ? 'box_twice' : 'box_outside', params })
    return []
  })
  return { boxes: inside, found }
}

/** To hundredths of a pixel: shares of a width are not exact. */
const clip = (position: number, end: number): number =>
  Math.round(Math.min(end, Math.max(0, position)) * 100) / 100
