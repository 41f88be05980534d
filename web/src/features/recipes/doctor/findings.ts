import type { Examined } from '@neuroloom/contract/recipes/doctor'
import type { ImageLook, MaskLook } from '@neuroloom/contract/recipes/repair'
import {
  type Finding,
  type Folder,
  isBackground,
  keep,
  leave,
  type Option,
  rename,
  pair as together,
} from './finding.ts'
import { valuesFindings } from './values.ts'
import { placeFinding } from './volumes.ts'

export function findingsOf(pair: Examined, folder: Folder): Finding[] {
  const { imageLook: image, maskLook: mask, by } = pair
  if (!image || !mask) return [{ kind: 'unread', options: [leave], isSure: true }]
  const isGuess = by === 'number' || by === 'folder'
  return [
    ...(isGuess ? [{ kind: 'guessed' as const, options: [together, leave], isSure: false }] : []),
    ...(by === 'same' || isGuess ? [] : [{ kind: 'named' as const, options: [rename, leave], isSure: true }]),
    ...fitFinding(image, mask),
    ...valuesFindings(mask, folder),
  ]
}

/** EXIF 0x0112 as the mask must be turned to lie as the upright picture does: mirrored first, then quarters clockwise. */
const uprights: Record<number, { quarters: number; isMirrored: boolean }> = {
  2: { quarters: 0, isMirrored: true },
  3: { quarters: 2, isMirrored: false },
  4: { quarters: 2, isMirrored: true },
  5: { quarters: 3, isMirrored: true },
  6: { quarters: 1, isMirrored: false },
  7: { quarters: 1, isMirrored: true },
  8: { quarters: 3, isMirrored: false },
}
/** Sides that differ by no more come of rounding, and what lies beyond can go. */
const FEW_PIXELS = 2
/** Shapes that differ by no more are the same. */
const SAME_SHAPE = 0.01

function fitFinding(image: ImageLook, mask: MaskLook): Finding[] {
  if (image.depth !== null || mask.depth !== null) return placeFinding(image, mask)
  const isSame = image.width === mask.width && image.height === mask.height
  const isAcross = image.width === mask.height && image.height === mask.width
  const upright = uprights[image.turn]
  // A mask that notes its own turn was turned with it.
  if (upright && mask.turn === 1 && (isSame || isAcross)) {
    const camera: Option = { name: 'camera', repairs: [{ do: 'turn', ...upright }] }
    const isQuarter = image.turn >= 5
    if (isQuarter && !isSame) return [{ kind: 'camera', options: [camera, leave], isSure: true }]
    const mayBe = isQuarter ? image.width === image.height : true
    if (isSame && mayBe) return [{ kind: 'camera', options: [keep, camera, leave], isSure: false }]
  }
  if (isSame) return []
  if (isAcross)
    return [{ kind: 'turned', options: [quarter('right', 1), quarter('left', 3), leave], isSure: false }]
  return [sizeFinding(image, mask)]
}

const quarter = (name: 'right' | 'left', quarters: number): Option => ({
  name,
  repairs: [{ do: 'turn', quarters, isMirrored: false }],
})

function sizeFinding(image: ImageLook, mask: MaskLook): Finding {
  const size: Option = { name: 'size', repairs: [{ do: 'size' }] }
  const cut: Option = { name: 'cut', repairs: [{ do: 'cut' }] }
  const away = Math.max(Math.abs(image.width - mask.width), Math.abs(image.height - mask.height))
  if (away <= FEW_PIXELS) return { kind: 'size', options: [cut, size, leave], isSure: false }
  const shape = (image.width * mask.height) / (image.height * mask.width)
  const isSameShape = Math.abs(shape - 1) <= SAME_SHAPE
  if (isSameShape) return { kind: 'scaled', options: [size, leave], isSure: true }
  return { kind: 'size', options: [size, cut, leave], isSure: false }
}

export function folderOf(pairs: readonly Examined[], classes: readonly string[] | null): Folder {
  const masks = pairs.flatMap(({ maskLook }) => maskLook ?? [])
  const valuesOf = (isColour: boolean): string[] => {
    const all = masks
      .filter(({ kind }) => (kind === 'colours') === isColour)
      .flatMap(({ values }) => values?.map(({ value }) => value) ?? [])
    return [...new Set(all)].filter((value) => !isBackground(value)).sort(natural.compare)
  }
  return { numbers: valuesOf(false), colours: valuesOf(true), classes }
}

const natural = new Intl.Collator('en', { numeric: true })
