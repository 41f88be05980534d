/** What the grey values of a set of masks mean: which value is which class, and which masks do not fit in. */

export type MaskCode = {
  /** Grey value (as text) to class index. */
  maskValues: Record<string, number>
  classes: string[]
  /** Ids of masks whose values do not belong to the others', with how many values they have. */
  refused: Map<string, number>
}

type Mask = { id: string; values: Record<string, number> }

/** Up to here values count as class numbers; brighter masks are drawn to be seen (0/255, 0/85/170/255). */
const MAX_INDEX = 63
/** Border or "ignore" in index-coded masks (Pascal VOC). */
const IGNORE = 255
/** Two values this close in a mask drawn to be seen are one value blurred by lossy compression. */
const BLUR = 3
/** So many of the masks must be pure black and white for the others to count as faulty. */
const BINARY_SHARE = 0.8

export function readMaskCode(masks: readonly Mask[]): MaskCode {
  const refused = new Map<string, number>()
  const clean: { id: string; values: number[] }[] = []
  for (const mask of masks) {
    const values = Object.keys(mask.values).map(Number)
    if (isBlurred(values)) refused.set(mask.id, values.length)
    else clean.push({ id: mask.id, values })
  }
  const binary = clean.filter(({ values }) => values.every((value) => value === 0 || value === IGNORE))
  const hasWhite = binary.some(({ values }) => values.includes(IGNORE))
  const kept = hasWhite && binary.length >= clean.length * BINARY_SHARE ? binary : clean
  const keptIds = new Set(kept.map(({ id }) => id))
  for (const { id, values } of clean) if (!keptIds.has(id)) refused.set(id, values.length)
  const values = [...new Set(kept.flatMap((mask) => mask.values))].sort((left, right) => left - right)
  return { ...nameValues(values), refused }
}

/** Many values round a few: a mask that was saved as JPEG or scaled with smoothing. */
function isBlurred(values: number[]): boolean {
  const drawn = values.filter((value) => value !== IGNORE)
  if (drawn.every((value) => value <= MAX_INDEX)) return false
  const sorted = [...values].sort((left, right) => left - right)
  return sorted.some((value, index) => index > 0 && value - (sorted[index - 1] ?? value) <= BLUR)
}

/** The darkest value is the background; one value alone is foreground on an unseen background unless it is 0. */
function nameValues(values: number[]): Pick<MaskCode, 'maskValues' | 'classes'> {
  const all = values.includes(0) || values.length > 1 ? values : [0, ...values]
  const maskValues = Object.fromEntries(all.map((value, index) => [String(value), index]))
  if (all.length === 2) return { maskValues, classes: ['background', 'foreground'] }
  const areIndexes = all.every((value) => value <= MAX_INDEX || value === IGNORE)
  const classes = all.map((value, index) =>
    index === 0 ? 'background' : `class ${areIndexes ? value : index}`,
  )
  return { maskValues, classes }
}
