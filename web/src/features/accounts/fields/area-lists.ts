import type { AreaNode } from 'virtual:areas/*'

/** The list of each level that this way of codes opens. */
export function listsAlong(areas: AreaNode[], path: readonly string[]): AreaNode[][] {
  const [code, ...rest] = path
  const children = areas.find(([one]) => one === code)?.[2]
  return children === undefined ? [areas] : [areas, ...listsAlong(children, rest)]
}

/** Codes joined by '/', once nothing is left to choose; '' before. */
export function areaOf(areas: AreaNode[], path: readonly string[]): string {
  return path.length >= listsAlong(areas, path).length ? path.join('/') : ''
}
