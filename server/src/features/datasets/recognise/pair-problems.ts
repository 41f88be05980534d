/** What is wrong with pairs whatever they are for: halves alone, and files that cannot be read. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import type { Look, Pair, Pairs } from './shapes.ts'

export type ReadPair = Pair & { facts: FileFacts; labelFacts: FileFacts }

export function lookAtPairs(layout: Pairs, look: Look): { readable: ReadPair[]; problems: Problem[] } {
  const hasMasks = layout.layout === 'images_masks' || layout.layout === 'volume_pairs'
  const imageAlone = hasMasks ? 'image_without_mask' : 'label_missing'
  const labelAlone = hasMasks ? 'mask_without_image' : 'image_missing'
  const problems: Problem[] = [
    ...(layout.problems ?? []),
    ...[...layout.imagesAlone, ...layout.stray].map(
      (path): Problem => ({ path, reason: imageAlone, params: {} }),
    ),
    ...layout.labelsAlone.map(
      (path): Problem => ({
        path,
        reason: labelAlone,
        params: hasMasks ? {} : { name: path, line: 0 },
      }),
    ),
  ]
  const readable: ReadPair[] = []
  for (const pair of layout.pairs) {
    const { image, label, mix, made, drawn } = pair
    const labels = drawn ? [] : (mix?.paths ?? [label])
    // A broken half is named itself; its partner is not reported as alone.
    const parts = [image, ...labels].map((path) => ({ path, ...look.check(path) }))
    const broken = parts.flatMap(({ path, reason }) =>
      reason === null ? [] : [{ path, reason, params: {} }],
    )
    problems.push(...broken)
    if (broken.length > 0) continue
    const [seenImage, seenLabel] = [look.check(image), look.check(made ?? label)]
    // One text may outline things in all images.
    if (seenLabel.reason !== null)
      problems.push({ path: drawn ? image : label, reason: seenLabel.reason, params: {} })
    if (!seenImage.facts || !seenLabel.facts) continue
    readable.push({ ...pair, facts: seenImage.facts, labelFacts: seenLabel.facts })
  }
  return { readable, problems }
}
