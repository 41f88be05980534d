/** Tools and commands that propose: what they would draw is seen first, and a press or Enter takes it. */
import { ask } from '../assist/ask.ts'
import { greyOf, type Mask, maskWhere } from '../assist/plane.ts'
import { proposeRange, thresholdBrush } from '../assist/threshold.ts'
import type { Pane } from '../canvas/pane.ts'
import { type Rect, toImage } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { boundsOf, partsOf, readBox } from './box-of-voxels.ts'
import { sizeOf } from './desk.ts'
import { looking, placed, windowAround } from './looking.ts'
import { drawnBy, KEEP, maskedAs, type Part } from './part.ts'
import type { Press } from './press.ts'
import { acceptProposal, propose, segmentsIn } from './proposal.ts'
import type { Tool } from './tool.ts'

/** The pointer rests. */
const REST_MS = 60

type MaskAt = (bench: Bench, at: Press) => Promise<(Mask & { rect: Rect }) | null>

/** Proposes where the pointer rests; a press takes what is shown, or what comes of it. */
export function proposing(name: string, maskAt: MaskAt): Tool {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  const show = async (bench: Bench, at: Press): Promise<void> => {
    const mine = ++asked
    const mask = await maskAt(bench, at).catch(() => null)
    if (mine !== asked) return
    const values = mask && maskedAs(drawnBy(bench.class), mask)
    const parts = mask && values ? [{ ...placed(at.pane, mask.rect), values }] : []
    propose(bench, { tool: name, parts })
  }
  const forget = (bench: Bench): boolean => {
    clearTimeout(timer)
    asked++
    const isAny = bench.desk.getState().proposal !== null
    bench.desk.setState({ proposal: null })
    bench.renewAbove()
    return isAny
  }
  return {
    cursor: 'crosshair',
    hover(bench, at) {
      clearTimeout(timer)
      timer = setTimeout(() => void show(bench, at), REST_MS)
    },
    async down(bench, at) {
      clearTimeout(timer)
      const { proposal } = bench.desk.getState()
      const isShown = proposal?.tool === name && proposal.parts.some((part) => isIn(part, at))
      if (!isShown) await show(bench, at)
      // A finger has seen nothing before: the next press takes it.
      if (isShown || !at.isTouch) take(bench)
    },
    accept: take,
    cancel: forget,
  }
}

/** The proposal becomes marks. */
export function take(bench: Bench): boolean {
  const { proposal } = bench.desk.getState()
  if (!proposal) return false
  bench.desk.setState({ proposal: null })
  acceptProposal(bench, proposal)
  return true
}

const isIn = ({ left, top, width, values }: Part, { x, y }: Press): boolean =>
  values[(Math.floor(y) - top) * width + Math.floor(x) - left] !== KEEP

const seedIn = ({ left, top }: Rect, { x, y }: Press) => ({ x: Math.floor(x) - left, y: Math.floor(y) - top })
const isOnImage = ({ x, y, pane: { plane } }: Press): boolean =>
  x >= 0 && y >= 0 && x < plane.width && y < plane.height

export function wand(): Tool {
  const look = looking()
  return proposing('wand', async (bench, at) => {
    if (!isOnImage(at)) return null
    const { plane, rect } = await look(bench, at)
    const { tolerance } = bench.desk.getState()
    return { ...(await ask('wand', { plane, seed: seedIn(rect, at), tolerance })), rect }
  })
}

export function filling(): Tool {
  return proposing('fill', async (bench, at) => {
    if (!isOnImage(at)) return null
    const rect = windowAround(at.pane, at)
    const { width, height } = placed(at.pane, rect)
    const values = segmentsIn(bench, at.pane.plane, { left: rect.left, top: rect.top, width, height })
    const mask = { width, height, values: maskWhere(values, (segment) => segment !== 0) }
    if (mask.values[seedIn(rect, at).y * width + seedIn(rect, at).x] === 1) return null
    return { ...(await ask('fill', { mask, seed: seedIn(rect, at) })), rect }
  })
}

/** A brush that takes only what is as bright as what lies under its middle. */
export function threshold(): Tool {
  const look = looking()
  return proposing('threshold', async (bench, at) => {
    if (!isOnImage(at)) return null
    const { plane, rect } = await look(bench, at)
    const grey = greyOf(plane)
    const centre = { x: at.x - rect.left - 0.5, y: at.y - rect.top - 0.5 }
    const radius = sizeOf(bench.desk.getState()) / 2
    const all = thresholdBrush(grey, {
      centre,
      radius,
      range: { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY },
    })
    const range = proposeRange(grey, all, seedIn(rect, at))
    return { ...(range ? thresholdBrush(grey, { centre, radius, range }) : all), rect }
  })
}

export const commandNames = ['grow', 'smooth', 'largest', 'holes', 'wider', 'narrower'] as const
export type CommandName = (typeof commandNames)[number]

/** What the seen part of a plane would become; false = nothing would change. */
export async function command(bench: Bench, name: CommandName): Promise<boolean> {
  const pane = bench.at?.pane ?? bench.panes[0]
  if (!pane || !bench.isWritable) return false
  const rect = seenRect(pane)
  const part = placed(pane, rect)
  const before = segmentsIn(bench, pane.plane, part)
  const after =
    name === 'grow'
      ? await grown(bench, { pane, rect, before })
      : await reshaped(bench, { name, pane, part, before })
  const values = after.map((segment, at) => (segment === before[at] ? KEEP : segment))
  const isAny = values.some((value) => value !== KEEP)
  return propose(bench, { tool: name, parts: isAny ? [{ ...part, values }] : [] })
}

/** At most so many pixels each way: all of most planes. */
const MOST = 2048

function seenRect({ plane, view, area }: Pane): Rect {
  const one = toImage(view, plane, { x: 0, y: 0 })
  const other = toImage(view, plane, { x: area.width, y: area.height })
  const part = (from: number, to: number, length: number): [number, number] => {
    if (length <= MOST) return [0, length]
    const middle = Math.floor((from + to) / 2)
    const start = Math.max(0, Math.min(middle - MOST / 2, length - MOST))
    return [start, start + MOST]
  }
  const [left, right] = part(one.x, other.x, plane.width)
  const [top, bottom] = part(one.y, other.y, plane.height)
  return { left, top, right, bottom }
}

type Looked = { pane: Pane; rect: Rect; before: Uint16Array }

async function grown(bench: Bench, { pane, rect, before }: Looked): Promise<Uint16Array> {
  const plane = await bench.source.pixels(pane.plane, rect)
  const { values } = await ask('grow', { plane, seeds: before })
  return Uint16Array.from(values, (segment, at) => (before[at] === 0 ? segment : (before[at] ?? 0)))
}

type Reshaped = {
  name: Exclude<CommandName, 'grow'>
  pane: Pane
  part: { width: number; height: number }
  before: Uint16Array
}

/** The chosen class's segments, each by itself; others are never drawn over. */
async function reshaped(bench: Bench, { name, pane, part, before }: Reshaped): Promise<Uint16Array> {
  const after = before.slice()
  const { width, height } = part
  const radius = Math.max(1, Math.round(sizeOf(bench.desk.getState()) / 8))
  const own = [...bench.journal.marks.segments.values()].filter(({ class: id }) => id === bench.class?.id)
  for (const { number } of own) {
    if (!before.includes(number)) continue
    const mask = { width, height, values: maskWhere(before, (segment) => segment === number) }
    const { values } = await shapeOf({ name, mask, radius, aspect: pane.plane.aspect })
    values.forEach((value, at) => {
      if (value === 1 && before[at] === 0) after[at] = number
      if (value === 0 && before[at] === number) after[at] = 0
    })
  }
  return after
}

function shapeOf({
  name,
  mask,
  radius,
  aspect,
}: {
  name: Reshaped['name']
  mask: Mask
  radius: number
  aspect: number
}) {
  switch (name) {
    case 'smooth':
      return ask('smooth', { mask, sigma: radius })
    case 'largest':
      return ask('largest', { mask })
    case 'holes':
      return ask('holes', { mask })
    case 'wider':
      return ask('margin', { mask, pixels: radius, aspect })
    case 'narrower':
      return ask('margin', { mask, pixels: -radius, aspect })
  }
}

/** Slices between drawn ones, across the plane that is looked at, for the chosen class. */
export async function between(bench: Bench): Promise<boolean> {
  const pane = bench.at?.pane ?? bench.panes[0]
  if (!pane || !bench.isWritable) return false
  const { axis } = pane.plane
  const { marks } = bench.journal
  const own = [...marks.segments.values()].filter(({ class: id }) => id === bench.class?.id)
  const box = boundsOf(
    marks.pixels,
    own.map(({ number }) => number),
  )
  if (!box) return false
  const { from, size } = box
  const values = readBox(marks.pixels, box)
  const spacing = bench.body.spacing ?? [1, 1, 1]
  const given = { axis, spacing, segments: own.map(({ number }) => number) }
  const answer = await ask('between', { volume: { size, values }, between: given })
  const filled = answer.values
  const parts = partsOf({ axis, from, size }, (at) =>
    filled[at] === values[at] ? KEEP : (filled[at] ?? KEEP),
  )
  return propose(bench, { tool: 'between', parts })
}
