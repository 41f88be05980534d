/** Labels over a result as classes of its run: masks by their values, boxes as they were found. Pure. */
import type { Box, Manifest } from '@neuroloom/contract/engine'
import type { Overlay, OverlayLabel } from '@neuroloom/contract/reading/overlays'

type Over = Pick<Overlay, 'labels'> & { nothing: number[] }
type Classes = Pick<Manifest, 'classes' | 'maskValues'>

/** Class 0 is the background, and what has no class does not count. Of palettes the colours may be what counts. */
export function asClasses(labels: readonly OverlayLabel[], { classes, maskValues }: Classes): Over {
  const indexOf = ({ key, colour }: OverlayLabel): number | undefined =>
    [key, key.toUpperCase(), colour ?? '', '*']
      .map((value) => maskValues[value])
      .find((one) => one !== undefined)
  return {
    labels: labels.map((label) => ({ ...label, name: classes[indexOf(label) ?? -1] ?? label.name })),
    nothing: labels.flatMap((label, index) => ((indexOf(label) ?? 1) > 0 ? [] : [index + 1])),
  }
}

type Found = {
  of: readonly Box[]
  all: readonly Box[]
  classes: readonly string[]
  size: [number, number, number]
}

/** Classes have the same numbers in what is true and in what was found. */
export function boxesOver({ of, all, classes, size }: Found): Pick<Overlay, 'labels' | 'marks'> {
  const used = [...new Set(all.map((box) => box.class))].sort((one, other) => one - other)
  const keyOf = (index: number): string => String(used.indexOf(index) + 1)
  return {
    labels: used.map((index) => ({
      key: keyOf(index),
      colour: null,
      name: classes[index] ?? null,
      count: of.filter((box) => box.class === index).length,
    })),
    marks: {
      ...{ size, tags: [], segments: [], pixels: '' },
      things: of.map(({ class: index, x0, y0, x1, y1 }, at) => ({
        id: `b${at + 1}`,
        class: keyOf(index),
        place: { axis: 2 as const, slice: 0 },
        shape: { kind: 'box' as const, x: x0, y: y0, width: x1 - x0, height: y1 - y0, angle: 0 },
        ...{ by: 'network' as const, attributes: {}, track: null, isLast: false },
      })),
    },
  }
}
