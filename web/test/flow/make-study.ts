import type { FlowDetail, FlowSummary } from '@neuroloom/contract/flow/calls'
import type { FlowLook, FlowSeries, FlowStudy } from '@neuroloom/contract/flow/study'

export function makeSummary(changes: Partial<FlowSummary> = {}): FlowSummary {
  return {
    id: 'study-1',
    name: 'Aorta 12',
    state: 'ready',
    failure: null,
    source: 'dicom',
    size: [96, 96, 32],
    frames: 20,
    sizeBytes: 47_000_000,
    fromId: null,
    createdAt: '2026-11-20T08:00:00.000Z',
    ...changes,
  }
}

export function makeDetail(changes: Partial<FlowDetail> = {}): FlowDetail {
  const rest = { look: null, answer: null, problems: [], head: null, phantom: null }
  const addresses = { values: null, interpolated: null }
  return { ...makeSummary(), ...rest, ...addresses, ...changes }
}

/** Three velocities and a magnitude, of which the files tell all. */
export function makeLook(
  changes: Partial<Record<'rl' | 'ap' | 'fh' | 'mag', Partial<FlowSeries>>> = {},
  rest: Partial<FlowLook> = {},
): FlowLook {
  const velocity = (['RL', 'AP', 'FH'] as const).map((direction) =>
    makeSeries({ id: direction.toLowerCase(), name: `Flow ${direction}`, direction }),
  )
  const magnitude = { role: 'magnitude', direction: null, unit: null, venc: null } as const
  const all = [...velocity, makeSeries({ id: 'mag', name: 'Anatomy', ...magnitude })]
  // The ids are those of `changes`.
  const series = all.map((one) => ({ ...one, ...changes[one.id as keyof typeof changes] }))
  return {
    source: 'dicom',
    vendor: 'siemens',
    series,
    spacing: [2, 2, 2.5],
    times: [0, 0.042, 0.084],
    period: 0.84,
    gating: 'retrospective',
    leftOut: 0,
    problems: [],
    ...rest,
  }
}

function makeSeries(changes: Partial<FlowSeries>): FlowSeries {
  const size: FlowSeries['size'] = [96, 96, 32]
  const rest = { role: 'velocity', direction: 'RL', unit: 'cm/s', venc: 1.5 } as const
  return { id: 'rl', name: '', ...rest, size, frames: 20, files: 640, unsure: [], ...changes }
}

export function makeHead(changes: Partial<FlowStudy> = {}): FlowStudy {
  return {
    v: 1,
    source: 'dicom',
    vendor: 'siemens',
    size: [96, 96, 32],
    frames: 3,
    spacing: [2, 2, 2.5],
    affine: [
      [-2, 0, 0, 90],
      [0, -2, 0, 90],
      [0, 0, 2.5, 0],
    ],
    isPlaced: true,
    directions: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    venc: [1.5, 1.5, 1.5],
    velocityScale: 1e-4,
    times: [0, 0.042, 0.084],
    period: 0.84,
    gating: 'retrospective',
    sources: 'a'.repeat(64),
    ...changes,
  }
}
