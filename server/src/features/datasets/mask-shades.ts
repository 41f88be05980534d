/** What the colours of a mask's small picture mean. */
import type { DatasetItem } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { colourOf, isColour, valuesIn } from './recognise/masks/noise.ts'
import type { DatasetRow } from './tables.ts'

type Shades = NonNullable<DatasetItem['shades']>

/** By the masks' bytes; only of sets with several classes to tell apart. */
export async function shadesOfMasks(
  db: Db,
  { task, classes, maskValues }: DatasetRow,
  masks: readonly string[],
): Promise<Map<string, Shades>> {
  if (task !== 'segmentation' || classes.length <= 2 || masks.length === 0) return new Map()
  const rows = await db
    .select({ sha256: blobs.sha256, facts: blobs.facts })
    .from(blobs)
    .where(inArray(blobs.sha256, [...new Set(masks)]))
  return new Map(
    rows.flatMap(({ sha256, facts }) => {
      // Written by `keep` of the files from the engine's own schema.
      const shades = shadesOf(maskValues, facts as FileFacts | null)
      return shades ? [[sha256, shades] as const] : []
    }),
  )
}

/**
 * The engine draws the values of a mask as evenly spaced greys and colours as they are, without loss (`check.py`). Null where
 * the greys do not tell the values: of volumes, of which one slice is drawn, and where many values stand for few.
 */
export function shadesOf(
  maskValues: Readonly<Record<string, number>>,
  facts: Pick<FileFacts, 'values' | 'depth' | 'palette' | 'smeared' | 'things'> | null,
): Shades | null {
  if (!facts?.values || facts.depth !== null || facts.smeared) return null
  const { palette, things = 0 } = facts
  const values = Object.keys(facts.values).sort((one, other) => Number(one) - Number(other))
  // More things than values: they are told as one. Otherwise each class is one piece, which the set decides upon.
  if (things > values.length) return null
  const shades: Shades = []
  for (const [index, value] of values.entries()) {
    const [meant = value] = Object.keys(
      valuesIn(maskValues, { values: { [value]: 1 }, ...(palette ? { palette } : {}) }),
    )
    const known = maskValues[meant] ?? maskValues['*']
    if (known === undefined) return null
    shades.push({ shade: isColour(value) ? value : colourOf(greyOf(index, values.length)), class: known })
  }
  return shades
}

/** As `numpy.linspace` steps from 0 to 255, cut to a whole number. */
function greyOf(index: number, count: number): string {
  return String(index > 0 && index === count - 1 ? 255 : Math.floor(index * (255 / Math.max(1, count - 1))))
}
