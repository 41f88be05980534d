/** Curves and numbers of all planes as a table, each column with its unit in its head. Pure. */
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { csvText } from '../../../../lib/csv.ts'
import { learnedText, NOTICE, type Origin } from '../exports/origin.ts'
import { type Cut, flowsOf, summaryOf, volumeProblem } from './use-sections.ts'

const rule = { exact: 'exact area', voxels: 'whole voxels' } as const

/** Numbers as programs read them; column names are English in every language, as are those of other files. */
export function curvesCsv(head: FlowStudy, cuts: readonly Cut[], origin: Origin): string {
  const measured = cuts.filter(({ flow }) => flow !== null)
  const columns = measured.flatMap((cut) => {
    const name = nameOf(cut)
    const frames = cut.flow?.frames ?? []
    return [
      { head: `${name} flow [mL/s]`, values: flowsOf(cut).map((value) => 1e6 * value) },
      {
        head: `${name} mean velocity [cm/s]`,
        values: frames.map(({ meanVelocity }) => 100 * meanVelocity * (cut.isTurned ? -1 : 1)),
      },
      { head: `${name} peak speed [cm/s]`, values: frames.map(({ peak }) => 100 * peak) },
      { head: `${name} p99 speed [cm/s]`, values: frames.map(({ peak99 }) => 100 * peak99) },
      { head: `${name} area [mm2]`, values: frames.map(({ area }) => 1e6 * area) },
      { head: `${name} without value [%]`, values: frames.map(({ unknown }) => 100 * unknown) },
    ]
  })
  const lines = head.times.map((time, frame) => [
    String(frame + 1),
    text(1000 * time),
    ...columns.map(({ values }) => text(values[frame])),
  ])
  const below = [
    ...measured.flatMap((cut) => summaryLines(head, cut)),
    ['study', origin.study, ...learnedText(origin.sharpened)],
    ['study SHA-256', origin.sha256],
    ['source files SHA-256', origin.sources],
    ['software', origin.software],
    [NOTICE],
  ]
  return csvText([['frame', 'time [ms]', ...columns.map((column) => column.head)], ...lines, ...below])
}

const nameOf = ({ number, name, region, rule: counted }: Cut): string =>
  `${name ?? `plane ${number}`} (${region}, ${rule[counted]})`

/** One number a line; volumes where frames make a beat. */
function summaryLines(head: FlowStudy, cut: Cut): string[][] {
  const summary = summaryOf(cut, head)
  if (summary === null) return []
  const name = nameOf(cut)
  const millilitres = (cubicMetres: number) => text(1e6 * cubicMetres)
  const hasBeat = volumeProblem(head) === null
  const fraction = summary.regurgitantFraction
  return [
    [`${name} mean flow [mL/s]`, millilitres(summary.mean)],
    ...(hasBeat
      ? [
          [`${name} net volume a beat [mL]`, millilitres(summary.net)],
          [`${name} forward volume a beat [mL]`, millilitres(summary.forward)],
          [`${name} backward volume a beat [mL]`, millilitres(summary.backward)],
          [`${name} backward : forward [%]`, text(fraction === null ? undefined : 100 * fraction)],
        ]
      : []),
  ]
}

/** Six digits hold more than was measured. */
const text = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '' : String(Number(value.toPrecision(6)))
