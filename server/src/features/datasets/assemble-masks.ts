/** A segmentation data set: one item an image with its mask of the same size. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import { summarise } from './data-facts.ts'
import { type MaskCode, readMaskCode } from './mask-values.ts'
import type { Assembled, ImagesMasks, Look } from './shapes.ts'

type Usable = { image: string; mask: string; facts: FileFacts; values: Record<string, number> }

export function assembleMasks(layout: ImagesMasks, look: Look): Assembled {
  const problems: Problem[] = [
    ...[...layout.imagesAlone, ...layout.stray].map(
      (path): Problem => ({ path, reason: 'image_without_mask', params: {} }),
    ),
    ...layout.masksAlone.map((path): Problem => ({ path, reason: 'mask_without_image', params: {} })),
  ]
  const fitting: Usable[] = []
  for (const pair of layout.pairs) {
    const { usable, found } = lookAtPair(pair, look)
    problems.push(...found)
    if (usable) fitting.push(usable)
  }
  const code = readMaskCode(fitting.map(({ mask, values }) => ({ id: mask, values })))
  for (const [path, values] of code.refused)
    problems.push({ path, reason: 'mask_values', params: { values } })
  const usable = fitting.filter(({ mask }) => !code.refused.has(mask))
  const facts = summarise(
    usable.map((item) => item.facts),
    countPixels(usable, code),
  )
  return {
    items: usable.map(({ image, mask, facts: { width, height } }) => {
      return { name: image, image, label: mask, class: null, width, height }
    }),
    problems,
    classes: code.classes,
    maskValues: code.maskValues,
    channels: facts?.channels ?? 1,
    facts,
    failure: failureOf(usable.length, code.classes.length),
  }
}

/** A broken half is named itself; its partner is not reported as alone. */
function lookAtPair({ image, mask }: ImagesMasks['pairs'][number], look: Look) {
  const found: Problem[] = []
  const seenImage = look.check(image)
  const seenMask = look.check(mask)
  if (seenImage.reason !== null) found.push({ path: image, reason: seenImage.reason, params: {} })
  if (seenMask.reason !== null) found.push({ path: mask, reason: seenMask.reason, params: {} })
  if (!seenImage.facts || !seenMask.facts) return { usable: null, found }
  const { width, height } = seenImage.facts
  const { width: maskWidth, height: maskHeight, values } = seenMask.facts
  if (width !== maskWidth || height !== maskHeight) {
    found.push({ path: mask, reason: 'size_differs', params: { width, height, maskWidth, maskHeight } })
    return { usable: null, found }
  }
  if (!values) {
    found.push({ path: mask, reason: 'mask_values', params: {} })
    return { usable: null, found }
  }
  return { usable: { image, mask, facts: seenImage.facts, values }, found }
}

function countPixels(usable: Usable[], { classes, maskValues }: MaskCode): number[] {
  const counts = classes.map(() => 0)
  for (const { values } of usable) {
    for (const [value, pixels] of Object.entries(values)) {
      const index = maskValues[value]
      if (index !== undefined) counts[index] = (counts[index] ?? 0) + pixels
    }
  }
  return counts
}

function failureOf(usable: number, classes: number): Assembled['failure'] {
  if (usable === 0) return 'nothing_matches'
  return classes < 2 ? 'single_class' : null
}
