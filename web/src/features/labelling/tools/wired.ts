/** What a wire around something becomes: a polygon, the pixels inside, or a line. */
import { rasterise } from '@neuroloom/contract/labelling/rasterise'
import type { Pane } from '../canvas/pane.ts'
import { boundsOf } from '../canvas/shapes.ts'
import type { Point } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import type { WireForm } from './desk.ts'
import { placed } from './looking.ts'
import { makeThing } from './making.ts'
import { drawnBy, maskedAs } from './part.ts'
import { acceptProposal } from './proposal.ts'

type Wired = { path: readonly Point[]; form: WireForm }

export function makeWired(bench: Bench, pane: Pane, { path, form }: Wired): void {
  const points = path.flatMap(({ x, y }) => [x, y])
  if (form === 'pixels') fillInside(bench, pane, points)
  else
    makeThing(bench, pane, {
      shape: form === 'outline' ? { kind: 'outline', rings: [points] } : { kind: 'line', points },
      tool: 'wire',
    })
}

function fillInside(bench: Bench, pane: Pane, ring: readonly number[]): void {
  const bounds = boundsOf({ kind: 'outline', rings: [[...ring]] })
  const part = placed(pane, {
    left: Math.max(0, Math.floor(bounds.left)),
    top: Math.max(0, Math.floor(bounds.top)),
    right: Math.min(pane.plane.width, Math.ceil(bounds.right)),
    bottom: Math.min(pane.plane.height, Math.ceil(bounds.bottom)),
  })
  const { left, top, width, height } = part
  const corners = ring.flatMap((x, at): [number, number][] =>
    at % 2 === 0 ? [[x - left, (ring[at + 1] ?? 0) - top]] : [],
  )
  const inside = { width, height, values: rasterise([[corners]], { width, height }) }
  const values = maskedAs(drawnBy(bench.class), inside)
  if (values) acceptProposal(bench, { tool: 'wire', parts: [{ ...part, values }] })
}
