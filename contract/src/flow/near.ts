/** Points in space, found again by nearness: a grid of cells as wide as the largest reach. Lengths in metres. */

export type Near = {
  /** How many there are; each is known by its number, from 0 on. */
  size: () => number
  add: (x: number, y: number, z: number) => void
  /** Takes the newest away again, down to this size. */
  cut: (size: number) => void
  /** Whether one lies nearer than `reach`, which is at most the cells' width; `isMeant` may leave some out. */
  has: (x: number, y: number, z: number, reach: number, isMeant?: (point: number) => boolean) => boolean
}

/** For places from 0 on; `count` cells along each axis. What lies outside is kept in the outermost cells. */
export function makeNear(cell: number, count: readonly [number, number, number]): Near {
  const [across, down, deep] = count
  const first = new Int32Array(across * down * deep).fill(-1)
  /** Of each point: the one added before it to the same cell, and the cell. */
  const next: number[] = []
  const homes: number[] = []
  const points: number[] = []
  const index = (value: number, cells: number) => Math.min(cells - 1, Math.max(0, Math.floor(value / cell)))
  const homeOf = (x: number, y: number, z: number) =>
    (index(z, deep) * down + index(y, down)) * across + index(x, across)

  return {
    size: () => homes.length,
    add(x, y, z) {
      const home = homeOf(x, y, z)
      next.push(first[home] ?? -1)
      first[home] = homes.length
      homes.push(home)
      points.push(x, y, z)
    },
    cut(size) {
      for (let point = homes.length - 1; point >= size; point--) first[homes[point] ?? 0] = next[point] ?? -1
      homes.length = size
      next.length = size
      points.length = 3 * size
    },
    has(x, y, z, reach, isMeant) {
      const square = reach * reach
      const [i, j, k] = [index(x, across), index(y, down), index(z, deep)]
      for (let c = Math.max(0, k - 1); c <= Math.min(deep - 1, k + 1); c++) {
        for (let b = Math.max(0, j - 1); b <= Math.min(down - 1, j + 1); b++) {
          for (let a = Math.max(0, i - 1); a <= Math.min(across - 1, i + 1); a++) {
            let at = first[(c * down + b) * across + a] ?? -1
            for (; at >= 0; at = next[at] ?? -1) {
              const dx = (points[3 * at] ?? 0) - x
              const dy = (points[3 * at + 1] ?? 0) - y
              const dz = (points[3 * at + 2] ?? 0) - z
              if (dx * dx + dy * dy + dz * dz < square && (isMeant === undefined || isMeant(at))) return true
            }
          }
        }
      }
      return false
    },
  }
}
