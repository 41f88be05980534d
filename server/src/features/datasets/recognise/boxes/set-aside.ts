/** Images of which a label was read and not used: without it they would teach that there is nothing. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { ToldBox } from '../shapes.ts'

type Gathered = { items: Map<string, unknown>; problems: Problem[]; spoilt: ReadonlySet<string> }

/** Takes them out and names each. */
export function setAside({ items, problems, spoilt }: Gathered): void {
  for (const path of [...spoilt].sort())
    if (items.delete(path)) problems.push({ path, reason: 'labels_not_used', params: {} })
}

/** Whether all boxes of the second text are in the first one too. */
export const saysNothingNew = (known: readonly ToldBox[], more: readonly ToldBox[]): boolean =>
  more.every((box) => known.some((one) => isSameBox(one, box)))

export const isSameBox = (one: ToldBox, other: ToldBox): boolean =>
  one.class === other.class &&
  one.x0 === other.x0 &&
  one.y0 === other.y0 &&
  one.x1 === other.x1 &&
  one.y1 === other.y1 &&
  JSON.stringify(one.outline) === JSON.stringify(other.outline)
