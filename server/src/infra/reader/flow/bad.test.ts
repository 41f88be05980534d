/** What is no study, or not yet: each has its own reason, which names the place. */
import { afterAll, describe, expect, it } from 'vitest'
import { classicFiles, enhancedFiles, type MadeFile } from '../../../../test/flow-dicom.ts'
import { type FlowField, makeField } from '../../../../test/flow-field.ts'
import { flowRoom, renamed, siemens, smallField, without } from '../../../../test/flow-room.ts'
import { lookAtFlow } from './look.ts'

const { put, look, making, refusalOf, clear } = flowRoom()
afterAll(clear)

/** The one problem that blocks, told alike before and while making. */
async function blockingOf(made: readonly MadeFile[]) {
  const files = put(made)
  const { problems } = await lookAtFlow(files)
  const told = problems.filter(({ isBlocking }) => isBlocking)
  expect(await refusalOf(files)).toEqual(told)
  return told.map(({ reason, params }) => [reason, params])
}

describe('a study that lacks something', () => {
  it('says which direction, slice or time', async () => {
    expect(await blockingOf(without(siemens(), /\/ap\//))).toEqual([['direction_missing', { found: 2 }]])
    // The third slice of all times.
    expect(await blockingOf(without(siemens(), /fh\/000(03|08|13|18)/))).toEqual([
      ['slice_missing', { series: '4D flow_P · *fl3d1r4_v150fh', slices: '3' }],
    ])
    expect(await blockingOf(without(siemens(), /\/000(03|08|13|18)/))).toEqual(
      Array.from({ length: 4 }, () => ['slice_missing', expect.objectContaining({ slices: '3' })]),
    )
    expect(await blockingOf(without(siemens(), /rl\/00012/))).toEqual([
      ['time_missing', { series: '4D flow_P · *fl3d1r4_v150rl', slice: 2, times: '3' }],
    ])
  })

  it('is refused where grids differ', async () => {
    const other = (change: Partial<FlowField>, part: RegExp) => [
      ...without(siemens(), part),
      ...siemens(change).filter(({ name }) => part.test(name)),
    ]
    const times = makeField({ frames: 3 }).times
    const names = { series: '4D flow_P · *fl3d1r4_v150ap', other: '4D flow_P · *fl3d1r4_v150fh' }
    expect(await blockingOf(other({ frames: 3, times }, /\/mag\//))).toEqual([
      ['unequal_grids', { series: '4D flow', other: names.series }],
    ])
    expect(await blockingOf(other({ frames: 3, times }, /\/ap\//))).toEqual([['unequal_grids', names]])
    expect(await blockingOf(other({ size: [7, 5, 5] }, /\/ap\//))).toEqual([['unequal_grids', names]])
    expect(await blockingOf(other({ size: [6, 5, 3] }, /\/ap\//))).toEqual([['unequal_grids', names]])
    expect(await blockingOf(other({ origin: [-20, 12.5, -8.75] }, /\/ap\//))).toEqual([
      ['unequal_grids', names],
    ])
  })

  it('says that a VENC is not known, until a person tells it', async () => {
    // Without its name nothing tells the direction either.
    const files = put(classicFiles(smallField(), 'siemens', ['00180024']))
    const { series, problems } = await lookAtFlow(files)
    const velocity = series.filter(({ role }) => role === 'velocity')
    expect(velocity.map(({ venc, direction, unsure }) => ({ venc, direction, unsure }))).toEqual(
      Array.from({ length: 3 }, () => ({
        venc: null,
        direction: null,
        unsure: ['role', 'direction', 'venc'],
      })),
    )
    expect(problems.map(({ reason }) => reason)).toEqual([
      'direction_missing',
      ...Array.from({ length: 3 }, () => 'venc_unknown'),
    ])
    // The second to the fourth series, as they were written.
    const byFile = (['RL', 'AP', 'FH'] as const).map((direction, at) => ({
      id: velocity[at]?.id ?? '',
      direction,
      venc: 1.5,
    }))
    const { study, problems: notes } = await making(files, {
      series: byFile,
      period: 0.8,
      gating: 'prospective',
    })
    expect(study).toMatchObject({ venc: [1.5, 1.5, 1.5], period: 0.8, gating: 'prospective', isPlaced: true })
    expect(notes).toEqual([])
    const twice = await refusalOf(files, {
      series: byFile.map((one) => ({ ...one, direction: 'FH' as const })),
    })
    expect(twice).toMatchObject([{ reason: 'direction_twice', params: { direction: 'FH' } }])
    const opposed = await refusalOf(files, {
      series: byFile.map((one, at) => (at === 0 ? { ...one, direction: 'HF' as const } : one)),
    })
    expect(opposed).toMatchObject([{ reason: 'direction_twice' }])
  })
})

describe('a study with too much, or too little, in it', () => {
  it('of one time is made, and says so', async () => {
    const files = put(siemens({ frames: 1, times: [0] }))
    expect((await lookAtFlow(files)).problems).toMatchObject([{ reason: 'one_time', isBlocking: false }])
    const { study, problems } = await making(files)
    expect(study).toMatchObject({ frames: 1, times: [0] })
    expect(problems.map(({ reason }) => reason)).toEqual(['one_time'])
  })

  it('of 60,000 planes is refused before they are read', async () => {
    const path = put([{ name: 'a.dcm', bytes: Buffer.alloc(4) }])[0]?.path ?? ''
    const many = Array.from({ length: 60_000 }, (_, at) => ({ path, name: `${at}.dcm` }))
    const refused = [{ reason: 'too_many_files', params: { count: 60_000, most: 50_000 }, isBlocking: true }]
    expect((await lookAtFlow(many)).problems).toEqual(refused)
    // In one file, whatever it claims.
    const [all] = enhancedFiles(smallField(), 'philips')
    const bytes = Buffer.from(all?.bytes ?? [])
    const at = bytes.indexOf(Buffer.from([0x28, 0, 0x08, 0, 0x49, 0x53])) + 8
    bytes.write('99', at, 'latin1')
    expect(await refusalOf(put([{ name: 'b.dcm', bytes }]))).not.toEqual([])
    const claims = Buffer.concat([
      bytes.subarray(0, at - 2),
      Buffer.from([6, 0]),
      Buffer.from('60000 '),
      bytes.subarray(at + 2),
    ])
    expect((await look([{ name: 'c.dcm', bytes: claims }])).problems).toEqual(refused)
  })

  it('leaves out what is no image, and keeps other series unused', async () => {
    const localiser = siemens({ size: [9, 9, 3], frames: 1, times: [0] })
      .filter(({ name }) => /\/mag\//.test(name))
      .map(({ name, bytes }) => ({
        name: `localiser/${name}`,
        bytes: renamed(bytes, '2.25.7002.1', '2.25.7002.9'),
      }))
    const text = { name: 'README.txt', bytes: Buffer.from('Nothing to see here. '.repeat(20)) }
    const files = put([...siemens(), ...localiser, text, { name: 'empty', bytes: Buffer.alloc(0) }])
    const found = await lookAtFlow(files)
    expect(found.leftOut).toBe(2)
    expect(found.problems).toEqual([])
    expect(found.series.filter(({ role }) => role === 'unused')).toMatchObject([
      { size: [9, 9, 3], frames: 1, files: 3, unsure: [] },
    ])
    expect((await making(files)).study.size).toEqual([6, 5, 5])
  })

  it('of two scans takes one, and asks; with two images of one place and time it is refused', async () => {
    const second = siemens({ size: [8, 8, 5], venc: 0.8 }).map(({ name, bytes }) => ({
      name: `second/${name}`,
      bytes: renamed(bytes, '2.25.7002.', '2.25.7009.'),
    }))
    const { series, problems } = await look([...siemens(), ...without(second, /00020/)])
    expect(problems).toEqual([])
    expect(series.filter(({ unsure }) => unsure.includes('role'))).toHaveLength(3)
    const [one] = siemens().filter(({ name }) => /rl\/00007/.test(name))
    const bytes = one?.bytes ?? Buffer.alloc(0)
    // The same file twice is one.
    expect(await look([...siemens(), { name: 'copy.dcm', bytes }])).toMatchObject({
      leftOut: 1,
      problems: [],
    })
    const again = renamed(bytes, '2.25.7000.2', '2.25.7000.9')
    expect(await blockingOf([...siemens(), { name: 'again.dcm', bytes: again }])).toEqual([
      ['image_twice', { series: '4D flow_P · *fl3d1r4_v150rl', slice: 2, time: 2 }],
    ])
  })

  it('of two examinations takes one, and does not mix them', async () => {
    const other = siemens()
      .filter(({ name }) => /\/ap\//.test(name))
      .map(({ name, bytes }) => ({ name, bytes: renamed(bytes, '2.25.7001', '2.25.7009') }))
    const files = put([...without(siemens(), /\/ap\//), ...other])
    const { series, problems } = await lookAtFlow(files)
    expect(problems).toMatchObject([{ reason: 'direction_missing', params: { found: 2 } }])
    const [row] = series.filter(({ role }) => role === 'unused')
    expect(row).toMatchObject({ direction: 'AP', unsure: ['role'] })
    const mixed = await refusalOf(files, { series: [{ id: row?.id ?? '', role: 'velocity' }] })
    expect(mixed).toMatchObject([{ reason: 'two_studies', params: { count: 2 } }])
  })

  it('asks what the numbers of a series are that it did not know', async () => {
    const files = put(classicFiles(smallField(), 'ge', ['0008103e', '001910cc']))
    const { series } = await lookAtFlow(files)
    const answer = (['LR', 'AP', 'HF'] as const).map((direction, at) => ({
      id: series[at]?.id ?? '',
      ...{ role: 'velocity' as const, direction, venc: 1.5 },
    }))
    const reasons = (await refusalOf(files, { series: answer })).map(({ reason }) => reason)
    expect(reasons).toEqual(['unit_unknown', 'unit_unknown', 'unit_unknown'])
  })

  it('whose scale cannot be right is made, with a note', async () => {
    const told = async (venc: number, change: Partial<FlowField> = {}) => {
      const files = put(siemens(change))
      const { series } = await lookAtFlow(files)
      const velocity = series.filter(({ role }) => role === 'velocity')
      const answer = velocity.map(({ id }) => ({ id, unit: 'mm/s' as const, venc }))
      return (await making(files, { series: answer })).problems
    }
    // Half of 4096 steps for −VENC to VENC, taken for mm/s, are some 2 m/s.
    expect(await told(0.6)).toMatchObject([
      { reason: 'scale_doubtful', params: { venc: 60, largest: expect.closeTo(200, -1) }, isBlocking: false },
    ])
    expect(await told(1.5)).toEqual([])
    const slow = { velocityAt: (): [number, number, number] => [0.1, 0.1, 0.1] }
    expect(await told(20, slow)).toMatchObject([{ reason: 'scale_doubtful', params: { venc: 2000 } }])
  })
})
