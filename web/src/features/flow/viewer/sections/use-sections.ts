import { axesOf, type ObliquePlane } from '@neuroloom/contract/flow/plane'
import type { FlowSection } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { type CurveSummary, type RegionRule, summarise } from '@neuroloom/contract/flow/through'
import { useEffect, useRef, useState } from 'react'
import { frameSeconds, isPeriodic } from '../beat.ts'
import type { FlowWorker } from '../numbers/ask-worker.ts'
import type { MaskChoice } from '../numbers/asks.ts'
import type { SectionFault, SectionFlow } from '../numbers/cross-section.ts'

/** One plane that flow is measured through. */
export type Cut = {
  number: number
  /** Null until a person gives one. */
  name: string | null
  plane: ObliquePlane
  region: 'vessel' | 'circle'
  /** Metres; of the circle. */
  radius: number
  rule: RegionRule
  /** Forward is against the normal. */
  isTurned: boolean
  flow: SectionFlow | null
  fault: SectionFault | 'failed' | null
}

type Placed = Pick<Cut, 'plane' | 'radius'>
export type Sections = ReturnType<typeof useSections>

export type Keeping = {
  /** Planes to begin with. */
  start: readonly FlowSection[]
  onKeep: ((sections: FlowSection[]) => void) | undefined
  /** Of planes that nobody named. */
  nameOf: (number: number) => string
}

/** Planes, and what flows through each: computed anew when a plane or the mask changes. */
export function useSections(worker: FlowWorker, mask: MaskChoice, keeping: Keeping) {
  const [cuts, setCuts] = useState<readonly Cut[]>(() => keeping.start.map(cutOf))
  const [chosen, setChosen] = useState<number | null>(cuts[0]?.number ?? null)
  const isFirst = useRef(new Set<number>())
  useKept(cuts, keeping)

  const measure = async (cut: Cut) => {
    const { plane, region, radius, rule } = cut
    const ask = { plane, rule, mask, region: region === 'vessel' ? ('vessel' as const) : radius }
    const answer = await worker.ask('section', ask).catch(() => 'failed' as const)
    const result = typeof answer === 'string' ? { flow: null, fault: answer } : { flow: answer, fault: null }
    setCuts((all) =>
      all.map((one) => {
        // Changed again meanwhile: its own answer is on the way.
        if (one.number !== cut.number || one.plane !== plane || one.rule !== rule) return one
        if (one.region !== region || one.radius !== radius) return one
        const isTurned = isFirst.current.delete(cut.number) ? flowsBack(answer) : one.isTurned
        return { ...one, ...result, isTurned }
      }),
    )
  }

  const key = JSON.stringify(mask)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another mask is another region
  useEffect(() => {
    // A slider under way is not followed: each frame of the study would be read at each step.
    const timer = setTimeout(() => {
      for (const cut of cuts) if (cut.region === 'vessel' || cut.flow === null) void measure(cut)
    }, 250)
    return () => clearTimeout(timer)
  }, [key])

  return {
    cuts,
    chosen,
    choose: setChosen,
    add({ plane, radius }: Placed) {
      const number = 1 + cuts.reduce((most, cut) => Math.max(most, cut.number), 0)
      const cut: Cut = {
        ...{ number, name: null, plane, radius, region: mask.isOn ? 'vessel' : 'circle', rule: 'exact' },
        ...{ isTurned: false, flow: null, fault: null },
      }
      isFirst.current.add(number)
      setCuts([...cuts, cut])
      setChosen(number)
      void measure(cut)
    },
    change(number: number, patch: Partial<Pick<Cut, 'name' | 'region' | 'radius' | 'rule' | 'isTurned'>>) {
      setCuts(cuts.map((cut) => (cut.number === number ? { ...cut, ...patch } : cut)))
      const before = cuts.find((cut) => cut.number === number)
      if (before && (patch.region ?? patch.radius ?? patch.rule) !== undefined)
        void measure({ ...before, ...patch })
    },
    remove(number: number) {
      const rest = cuts.filter((cut) => cut.number !== number)
      setCuts(rest)
      if (chosen === number) setChosen(rest.at(-1)?.number ?? null)
    },
  }
}

function cutOf({ name, centre, normal, region, radius, rule }: FlowSection, index: number): Cut {
  const placed = { plane: { centre, normal }, radius, region, rule }
  return { number: index + 1, name, ...placed, isTurned: false, flow: null, fault: null }
}

/** As it is kept: forward is along the normal. */
export function keptOf(cut: Cut, nameOf: Keeping['nameOf']): FlowSection {
  const [x, y, z] = cut.plane.normal
  return {
    name: cut.name ?? nameOf(cut.number),
    centre: [...cut.plane.centre],
    normal: cut.isTurned ? [-x, -y, -z] : [x, y, z],
    ...{ region: cut.region, radius: cut.radius, rule: cut.rule },
  }
}

/** Tells of planes whenever one became another, was added or removed. */
function useKept(cuts: readonly Cut[], { onKeep, nameOf }: Keeping): void {
  const kept = cuts.map((cut) => keptOf(cut, nameOf))
  const key = JSON.stringify(kept)
  const told = useRef(key)
  useEffect(() => {
    if (told.current === key) return
    told.current = key
    onKeep?.(kept)
  })
}

/** The first time, forward is where more flows. */
const flowsBack = (answer: SectionFlow | string): boolean =>
  typeof answer !== 'string' && answer.frames.reduce((sum, { flow }) => sum + flow, 0) < 0

/** m³/s of each frame, forward above 0. */
export const flowsOf = ({ flow, isTurned }: Cut): number[] =>
  flow?.frames.map((frame) => (isTurned ? -frame.flow : frame.flow)) ?? []

export function summaryOf(cut: Cut, head: FlowStudy): CurveSummary | null {
  const seconds = frameSeconds(head)
  if (seconds === null) return null
  return summarise(flowsOf(cut), { frameSeconds: seconds, isPeriodic: isPeriodic(head) })
}

/** Why there is no volume of a beat; null where there is one. */
export function volumeProblem(head: FlowStudy): 'one_frame' | 'no_period' | 'not_periodic' | null {
  if (head.frames < 2) return 'one_frame'
  if (head.period === null) return 'no_period'
  return isPeriodic(head) ? null : 'not_periodic'
}

type Across = { from: readonly number[]; to: readonly number[]; away: readonly number[] }

/** Through both places (metres) and along the line of sight: the line is a diameter of the vessel. */
export function planeAcross({ from, to, away }: Across): Placed | null {
  const way = [0, 1, 2].map((axis) => (to[axis] ?? 0) - (from[axis] ?? 0))
  const length = Math.hypot(...way)
  if (!(length > 0)) return null
  const [a = 0, b = 0, c = 0] = way
  const [x = 0, y = 0, z = 0] = away
  const normal = [b * z - c * y, c * x - a * z, a * y - b * x] as const
  const middle = (axis: 0 | 1 | 2) => ((from[axis] ?? 0) + (to[axis] ?? 0)) / 2
  const plane: ObliquePlane = { centre: [middle(0), middle(1), middle(2)], normal }
  return { plane: { ...plane, normal: axesOf(plane).normal }, radius: length / 2 }
}
