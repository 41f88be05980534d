/** What was measured, as its files told and a person settled it. */
import type { flowVendors } from '@neuroloom/contract/flow/named'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { factsBlock, type Told } from './blocks.ts'
import { type FlowFacts, isKnownFlow } from './facts.ts'
import { finerBy } from './finer.ts'
import type { FlowWords } from './words.ts'

const vendorNames: Record<(typeof flowVendors)[number], string> = {
  siemens: 'Siemens',
  philips: 'Philips',
  ge: 'GE',
  united_imaging: 'United Imaging',
}

/** Formats are called alike in every language. */
const formats = {
  dicom: 'DICOM',
  par_rec: 'PAR/REC',
  nifti: 'NIfTI',
  hdf5: 'HDF5',
  mat: 'MAT',
  vtk: 'VTK',
} as const satisfies Partial<Record<FlowStudy['source'], string>>

export function scanBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const { name, head, sha256 } = facts.study
  const isKnown = isKnownFlow(facts)
  const vendor = head.vendor === null ? null : vendorNames[head.vendor]
  const rows: Told[] = [
    ['studyName', name],
    [
      'source',
      head.source in formats ? formats[head.source as keyof typeof formats] : words.t(`scan.${head.source}`),
    ],
    ['finerBy', finerBy(head, words)],
    [
      'vendor',
      vendor ?? (isKnown ? null : words.t('scan.vendorUnknown')),
      vendor ? 'manufacturer' : undefined,
    ],
    ['matrix', words.t('scan.matrix', { size: head.size.map((side) => words.number(side, 0)).join(' × ') })],
    [
      'spacing',
      words.t(head.sharpened ? 'scan.finer' : 'scan.mm', {
        size: spacingText(head, words),
        factor: head.sharpened?.factor ?? 1,
      }),
      'resolution',
    ],
    ['field', words.t('scan.mm', { size: fieldText(head, words) }), 'fieldOfView'],
    ['frames', framesText(head, words), 'frames'],
    ['venc', vencText(head, words), 'venc'],
    ['period', periodText(head, words), head.period === null ? undefined : 'heartRate'],
    ['gating', words.t(`scan.gating.${head.gating}`), head.gating === 'unknown' ? undefined : 'gated'],
    ['place', words.t(head.isPlaced ? 'scan.placed' : 'scan.unplaced')],
    ['sources', head.sources],
    ['studyHash', sha256],
  ]
  return [factsBlock(rows, words)]
}

/** mm, without the unit. */
export const spacingText = ({ spacing }: FlowStudy, words: FlowWords): string =>
  spacing.map((side) => words.number(side, 2)).join(' × ')

const fieldText = ({ size, spacing }: FlowStudy, words: FlowWords): string =>
  size.map((count, axis) => words.number(count * (spacing[axis] ?? 0), 0)).join(' × ')

function framesText({ times, frames }: FlowStudy, words: FlowWords): string {
  const [first = 0] = times
  const last = times.at(-1) ?? first
  if (frames === 1) return words.t('scan.oneFrame')
  return words.t('scan.frames', {
    frames: words.number(frames, 0),
    first: words.figure('time', first),
    last: words.figure('time', last),
    gap: words.figure('time', (last - first) / (frames - 1)),
  })
}

function periodText({ period }: FlowStudy, words: FlowWords): string {
  if (period === null) return words.t('scan.noPeriod')
  return words.t('scan.period', {
    period: words.figure('time', period),
    rate: words.number(60 / period, 0),
  })
}

/** One number where all directions have the same. */
export function vencText(head: FlowStudy, words: FlowWords): string {
  const [first] = head.venc
  if (head.venc.every((venc) => Math.abs(venc - first) < 1e-6))
    return words.t('scan.vencAll', { venc: words.said('speed', first) })
  const each = head.venc.map((venc, component) =>
    words.t('scan.vencOne', {
      direction: words.t(`scan.axis.${axisOf(head, component)}`),
      venc: words.said('speed', venc),
    }),
  )
  return words.listed(each)
}

/** The line of the patient, or else of the grid, that a component lies nearest to. */
function axisOf({ directions, affine, spacing, isPlaced }: FlowStudy, component: number): string {
  const direction = directions[component] ?? [0, 0, 0]
  // A direction of the grid has no length in mm: columns of the affine without theirs turn it into the patient.
  const along = isPlaced
    ? affine.map((row) =>
        direction.reduce((sum, part, axis) => sum + ((row[axis] ?? 0) / (spacing[axis] ?? 1)) * part, 0),
      )
    : direction
  const sizes = along.map(Math.abs)
  const names = isPlaced ? ['rl', 'ap', 'fh'] : ['x', 'y', 'z']
  return names[sizes.indexOf(Math.max(...sizes))] ?? 'x'
}
