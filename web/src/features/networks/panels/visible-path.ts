/** What of a path the canvas shows: the outermost folded block around it, or itself. Pure. */
import type { Layout } from '@neuroloom/contract/network/layout/file'

export function visiblePath(path: string, layout: Pick<Layout, 'open'>): string {
  const open = new Set(layout.open)
  const steps = path.split('/')
  for (let k = 1; k < steps.length; k += 1) {
    const around = steps.slice(0, k).join('/')
    if (!open.has(around)) return around
  }
  return path
}
