/** Which opened block a place on the canvas belongs to. */
import type { QuickPlace } from '../../editor/screen.ts'
import type { Point } from '../geometry.ts'
import type { Scene } from '../scene.ts'
import { roadsOf } from '../walk.ts'

/** The innermost one, and the place inside it. */
export function frameAt(scene: Scene, [x, y]: Point): Pick<QuickPlace, 'parent' | 'at'> {
  const { corners } = roadsOf(scene)
  const around = scene.items.findLast(({ kind, path, width, height }) => {
    const [left, top] = corners.get(path) ?? [0, 0]
    return kind === 'frame' && x >= left && x <= left + width && y >= top && y <= top + height
  })
  if (around === undefined) return { parent: '', at: [x, y] }
  const [left, top] = corners.get(around.path) ?? [0, 0]
  return { parent: around.path, at: [x - left, y - top] }
}
