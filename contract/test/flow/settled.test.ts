import { type FlowLeft, stillOpen } from '@neuroloom/contract/flow/settled'
import type { FlowAnswer, FlowLook, FlowProblem, FlowSeries } from '@neuroloom/contract/flow/study'
import { describe, expect, it } from 'vitest'

const nothing: FlowAnswer = { series: [] }

describe('what is left open of a 4D flow study', () => {
  it('is nothing where the files tell all', () => {
    expect(stillOpen(makeLook(), nothing)).toMatchObject({ questions: [], problems: [], notes: [] })
  })

  it('is a guess, until somebody confirms it, even as it is', () => {
    const look = makeLook({ rl: { unsure: ['direction', 'unit'] } })
    const before = stillOpen(look, nothing)
    expect(before.questions).toEqual([
      { series: 'rl', what: 'direction' },
      { series: 'rl', what: 'unit' },
    ])
    expect(isSettled(before)).toBe(false)
    const answer: FlowAnswer = { series: [{ id: 'rl', direction: 'RL', unit: 'cm/s' }] }
    expect(isSettled(stillOpen(look, answer))).toBe(true)
  })

  it('is what a velocity lacks, and nothing of what is no velocity', () => {
    const look = makeLook({ rl: { direction: null, venc: null }, mag: { unsure: ['unit'] } })
    expect(stillOpen(look, nothing).questions).toEqual([
      { series: 'rl', what: 'direction' },
      { series: 'rl', what: 'venc' },
    ])
    const unused: FlowAnswer = { series: [{ id: 'rl', role: 'unused' }] }
    expect(stillOpen(look, unused).questions).toEqual([])
    expect(isSettled(stillOpen(look, unused))).toBe(false)
  })

  it('is what a series lacks that somebody calls a velocity', () => {
    const look = makeLook({ rl: { role: 'unused', direction: null, unit: null, venc: null } })
    const answer: FlowAnswer = { series: [{ id: 'rl', role: 'velocity', venc: 1.5 }] }
    expect(stillOpen(look, answer).questions.map(({ what }) => what)).toEqual(['direction', 'unit'])
  })
})

describe('problems of the directions follow the answers', () => {
  it.each([
    ['no velocity at all', ['unused', 'unused', 'unused'], 'no_velocity', {}],
    ['two of three', ['unused', 'velocity', 'velocity'], 'direction_missing', { found: 2 }],
  ] as const)('%s', (_, [rl, ap, fh], reason, params) => {
    const look = makeLook({ rl: { role: rl }, ap: { role: ap }, fh: { role: fh } })
    expect(stillOpen(look, nothing).problems).toEqual([{ reason, params, isBlocking: true }])
  })

  it('one axis twice, whichever way it goes', () => {
    const answer: FlowAnswer = { series: [{ id: 'ap', direction: 'LR' }] }
    expect(stillOpen(makeLook(), answer).problems).toEqual([
      { reason: 'direction_twice', params: { direction: 'LR' }, isBlocking: true },
    ])
    const inGrid: FlowAnswer = {
      series: [
        { id: 'rl', direction: '+x' },
        { id: 'ap', direction: '-x' },
        { id: 'fh', direction: '+z' },
      ],
    }
    expect(stillOpen(makeLook(), inGrid).problems).toMatchObject([{ params: { direction: '-x' } }])
  })

  it('a fourth velocity', () => {
    const look = makeLook({ mag: { role: 'velocity', direction: '+x', unit: 'm/s', venc: 1 } })
    expect(stillOpen(look, nothing).problems).toMatchObject([{ params: { direction: '+x' } }])
  })

  it('told of the files as they were is told no more', () => {
    const look = makeLook({}, [blocking('direction_twice', { direction: 'RL' })])
    expect(isSettled(stillOpen(look, nothing))).toBe(true)
  })
})

describe('a problem that was found', () => {
  it.each<[string, FlowProblem, FlowAnswer, boolean]>([
    [
      'stands',
      blocking('slice_missing', { series: 'Flow RL', slices: '3' }),
      { series: [{ id: 'mag', role: 'unused' }] },
      false,
    ],
    [
      'falls with its series',
      blocking('slice_missing', { series: 'Magnitude', slices: '3' }),
      { series: [{ id: 'mag', role: 'unused' }] },
      true,
    ],
    [
      'falls with the other series',
      blocking('unequal_grids', { series: 'Flow RL', other: 'Magnitude' }),
      { series: [{ id: 'mag', role: 'unused' }] },
      true,
    ],
    ['of two examinations stands', blocking('two_studies', { count: 2 }), nothing, false],
    [
      'of two examinations is looked into with other roles',
      blocking('two_studies', { count: 2 }),
      { series: [{ id: 'mag', role: 'unused' }] },
      true,
    ],
    [
      'of a whole study is looked into with other roles',
      blocking('too_large', { bytes: 9e9, most: 2e9 }),
      { series: [{ id: 'mag', role: 'unused' }] },
      true,
    ],
    ['of a whole study stands', blocking('too_large', { bytes: 9e9, most: 2e9 }), nothing, false],
    ['of a place that nothing tells stands', blocking('unplaced'), nothing, false],
    [
      'of a place falls where directions are those of the grid',
      blocking('unplaced'),
      {
        series: [
          { id: 'rl', direction: '+x' },
          { id: 'ap', direction: '+y' },
          { id: 'fh', direction: '+z' },
        ],
      },
      true,
    ],
  ])('%s', (_, problem, answer, isFine) => {
    expect(isSettled(stillOpen(makeLook({}, [problem]), answer))).toBe(isFine)
  })

  it.each<[string, FlowProblem, FlowAnswer, boolean]>([
    ['of times without a beat', blocking('times_unknown'), { series: [], period: 0.9 }, true],
    ['of a spacing that lacks', blocking('spacing_unknown'), { series: [], spacing: [2, 2, 3] }, true],
    ['of a spacing that lacks, still', blocking('spacing_unknown'), nothing, false],
  ])('%s is settled by a number', (_, problem, answer, isFine) => {
    expect(isSettled(stillOpen(makeLook({}, [problem]), answer))).toBe(isFine)
  })

  it('of a beat that ends before its last frame is judged by what is said', () => {
    const told: FlowProblem = { reason: 'period_too_short', params: {}, isBlocking: false }
    const look: FlowLook = { ...makeLook({}, [told]), times: [0.02, 0.42, 0.82] }
    expect(stillOpen(look, nothing)).toMatchObject({ problems: [], notes: [told] })
    expect(stillOpen(look, { series: [], period: 0.9 })).toMatchObject({ problems: [], notes: [] })
    const { problems } = stillOpen(look, { series: [], period: 0.7 })
    expect(problems).toMatchObject([
      { reason: 'period_too_short', params: { period: 0.7 }, isBlocking: true },
    ])
  })

  it('of a magnitude that lacks falls when a series is one', () => {
    const told: FlowProblem = { reason: 'magnitude_missing', params: {}, isBlocking: false }
    const look = makeLook({ mag: { role: 'unused' } }, [told])
    expect(stillOpen(look, nothing).notes).toEqual([told])
    expect(stillOpen(look, { series: [{ id: 'mag', role: 'magnitude' }] }).notes).toEqual([])
  })

  it('as a note hinders nothing', () => {
    const note: FlowProblem = { reason: 'period_unknown', params: {}, isBlocking: false }
    const large = blocking('too_large', { bytes: 9e9, most: 2e9 })
    expect(stillOpen(makeLook({}, [note]), nothing)).toMatchObject({ problems: [], notes: [note] })
    expect(stillOpen(makeLook({}, [note, large]), nothing)).toMatchObject({
      problems: [large],
      notes: [note],
    })
    expect(stillOpen(makeLook({}, [note]), { ...nothing, period: 0.9 }).notes).toEqual([])
  })

  it('of sizes that differ is seen in the table, and told once', () => {
    const small = { fh: { frames: 12 } }
    const told = { series: 'Flow FH', other: 'Flow RL' }
    expect(stillOpen(makeLook(small), nothing).problems).toEqual([blocking('unequal_grids', told)])
    const found = blocking('unequal_grids', { series: 'Flow RL', other: 'Flow FH' })
    expect(stillOpen(makeLook(small, [found]), nothing).problems).toEqual([found])
  })
})

const isSettled = ({ questions, problems }: FlowLeft): boolean => questions.length + problems.length === 0

function blocking(reason: FlowProblem['reason'], params: FlowProblem['params'] = {}): FlowProblem {
  return { reason, params, isBlocking: true }
}

type Changes = Record<string, Partial<FlowSeries>>

function makeLook(changes: Changes = {}, problems: FlowProblem[] = []): FlowLook {
  const velocity = (['RL', 'AP', 'FH'] as const).map((direction) =>
    makeSeries({ id: direction.toLowerCase(), name: `Flow ${direction}`, direction }),
  )
  const magnitude = { role: 'magnitude', direction: null, unit: null, venc: null } as const
  const series = [...velocity, makeSeries({ id: 'mag', name: 'Magnitude', ...magnitude })]
  return {
    source: 'dicom',
    vendor: 'siemens',
    series: series.map((one) => ({ ...one, ...changes[one.id] })),
    spacing: [2, 2, 2.5],
    times: null,
    period: 0.84,
    gating: 'retrospective',
    leftOut: 0,
    problems,
  }
}

function makeSeries(changes: Partial<FlowSeries>): FlowSeries {
  const size: FlowSeries['size'] = [96, 96, 32]
  const rest = { role: 'velocity', direction: 'RL', unit: 'cm/s', venc: 1.5 } as const
  return { id: 'rl', name: '', ...rest, size, frames: 20, files: 640, unsure: [], ...changes }
}
