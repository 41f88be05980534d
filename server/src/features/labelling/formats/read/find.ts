import { imageFinder } from '../../../datasets/service.ts'
import type { Target } from '../shapes.ts'
import type { From } from './from.ts'

/** The image that a name means. Of several that end alike, it is the one that is called so from its first folder on. */
export function targetFinder(targets: readonly Target[]): From['find'] {
  const byName = new Map(targets.map((target) => [target.name, target]))
  const find = imageFinder([...byName.keys()])
  const wholes = new Map<string, Target | null>()
  for (const target of targets)
    for (const key of new Set([keyOf(target.name), bareOf(target.name)]))
      wholes.set(key, wholes.has(key) ? null : target)
  return (name) => byName.get(find(name) ?? '') ?? wholeIn(name, wholes)
}

function wholeIn(name: string, wholes: ReadonlyMap<string, Target | null>): Target | null {
  const parts = name.split(/[/\\]/)
  for (let start = 0; start < parts.length; start++) {
    const end = parts.slice(start).join('/')
    const found = wholes.get(keyOf(end)) ?? wholes.get(bareOf(end))
    if (found) return found
  }
  return null
}

/** Systems write the same letters in different ways, and Windows does not tell large ones from small ones. */
const keyOf = (name: string): string => name.trim().normalize('NFC').toLowerCase()
const bareOf = (name: string): string => keyOf(name).replace(/\.nii\.gz$|\.[^./]{1,8}$/, '')
