/** What 3D Slicer says of the segments in a `.seg.nrrd`: names, colours, and which number of which layer each has. */
import type { Layers } from './layers.ts'

export function segmentNames(pairs: ReadonlyMap<string, string>): Layers['names'] {
  const names = new Map<string, { name: string; colour: string | null }>()
  for (let index = 0; ; index++) {
    const of = (key: string): string | undefined => pairs.get(`Segment${index}_${key}`)
    const name = of('Name') ?? of('ID')
    if (name === undefined) return names
    const value = Number(of('LabelValue') ?? index + 1)
    names.set(`${Number(of('Layer') ?? 0)}/${value}`, { name, colour: colourOf(of('Color') ?? '') })
  }
}

/** Three shares from 0 to 1. */
function colourOf(said: string): string | null {
  const parts = said.trim().split(/\s+/).map(Number)
  if (parts.length !== 3 || !parts.every((part) => part >= 0 && part <= 1)) return null
  return `#${parts
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
