/** Files from which names were taken away, and files made to hurt: what is not known is asked for, what is damaged is refused. */
import { afterAll, describe, expect, it } from 'vitest'
import { classicFiles, enhancedFiles, type MadeFile } from '../../../../test/flow-dicom.ts'
import { makeField } from '../../../../test/flow-field.ts'
import { readStudy } from '../../../../test/flow-files.ts'
import { parFiles } from '../../../../test/flow-par.ts'
import { flowRoom, renamed, siemens, smallField, without } from '../../../../test/flow-room.ts'
import { inLongRun } from '../../../../test/long-run.ts'
import { FlowRefusal } from './images.ts'
import { lookAtFlow } from './look.ts'

const MOST_MS = inLongRun(8000)

const room = flowRoom()
const { put, look, making, refusalOf } = room
afterAll(room.clear)

describe('names that were taken away', () => {
  it('leave series to a person: three directions in one are parted by their order', async () => {
    const field = smallField()
    const one = without(classicFiles(field, 'siemens', ['00180024', '0008103e']), /mag/).map(
      ({ name, bytes }) => ({
        name,
        bytes: renamed(renamed(bytes, '2.25.7002.3', '2.25.7002.2'), '2.25.7002.4', '2.25.7002.2'),
      }),
    )
    const { series, problems } = await look(one)
    expect(series).toHaveLength(3)
    for (const row of series)
      expect(row).toMatchObject({ role: 'velocity', frames: 4, direction: null, venc: null })
    expect(problems.map(({ reason }) => reason)).toContain('magnitude_missing')
  })

  it('of GE leave nothing but four films, which are asked for', async () => {
    const files = put(classicFiles(smallField(), 'ge', ['0008103e', '001910cc']))
    const { series, problems } = await lookAtFlow(files)
    expect(problems.map(({ reason }) => reason)).toEqual(['no_velocity'])
    expect(series.map(({ role, unsure }) => [role, unsure])).toEqual(
      Array.from({ length: 4 }, () => ['unused', ['role']]),
    )
  })

  it('without places there are no directions of a patient, but those of the grid', async () => {
    const files = put(classicFiles(smallField(), 'siemens', ['00200032', '00200037']))
    const { problems, series } = await lookAtFlow(files)
    expect(problems.map(({ reason, isBlocking }) => [reason, isBlocking])).toEqual([['unplaced', true]])
    const grid = (['+x', '-y', '+z'] as const).map((direction, at) => ({
      id: series[at]?.id ?? '',
      direction,
    }))
    const { study, problems: notes } = await making(files, { series: grid })
    expect(study).toMatchObject({ isPlaced: false, size: [6, 5, 5], frames: 4 })
    expect(study.directions).toContainEqual([0, -1, 0])
    expect(notes.map(({ reason }) => reason)).toEqual(['unplaced'])
  })

  it('without times frames share the beat evenly, if it is known', async () => {
    const files = put(classicFiles(smallField(), 'siemens', ['00181060', '00181062']))
    const { problems, period, times } = await lookAtFlow(files)
    expect({ period, times }).toEqual({ period: null, times: null })
    expect(problems.map(({ reason, isBlocking }) => [reason, isBlocking])).toEqual([
      ['times_unknown', true],
      ['period_unknown', false],
    ])
    const { study } = await making(files, { series: [], period: 1 })
    expect(study.times).toEqual([0, 0.25, 0.5, 0.75])
  })
})

describe('files made to hurt', () => {
  it('are told as unreadable, or end in a reason', async () => {
    const files = siemens()
    const [first] = files
    const cut = { name: 'cut.dcm', bytes: (first?.bytes ?? Buffer.alloc(0)).subarray(0, 300) }
    const { problems, leftOut } = await look([...files, cut])
    expect(problems).toMatchObject([{ reason: 'unreadable', params: { name: 'cut.dcm' }, isBlocking: false }])
    expect(leftOut).toBe(1)
    // The head is whole, the pixels are not: no image is told of, or none is read.
    const short = files.map((file, at) =>
      at === 70 ? { ...file, bytes: file.bytes.subarray(0, file.bytes.length - 9) } : file,
    )
    expect(await refusalOf(put(short))).toMatchObject([
      { reason: 'unreadable', params: { why: 'data_short' } },
    ])
  })

  it('of PAR/REC: without numbers, with sizes that cannot be, with places outside', async () => {
    const files = parFiles(smallField())
    const change = (from: RegExp, to: string): MadeFile[] =>
      files.map(({ name, bytes }) => ({
        name,
        bytes: /PAR$/.test(name) ? Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1') : bytes,
      }))
    const reasons = async (made: readonly MadeFile[]) => {
      const { problems } = await look(made)
      return [...new Set(problems.map(({ reason, params }) => params.why ?? reason))]
    }
    expect(await reasons(without(files, /REC$/))).toEqual(['data_file_missing', 'no_velocity'])
    expect(await reasons(change(/16 100 6 5 /g, '16 100 -6 5 '))).toEqual(['size_impossible', 'no_velocity'])
    expect(await reasons(change(/16 100 6 5 /g, '16 100 60000 60000 '))).toEqual(['too_large', 'no_velocity'])
    expect(await reasons(change(/16 100 6 5 /g, '12 100 6 5 '))).toEqual([
      'number_type_unknown',
      'no_velocity',
    ])
    const outside = put(change(/ 0 39 16 100/, ' 0 99999999 16 100'))
    expect(await refusalOf(outside)).toMatchObject([{ reason: 'unreadable', params: { why: 'data_short' } }])
  })

  it('of 8,000 lines that have nothing in common end soon', async () => {
    const [par, rec] = parFiles(smallField())
    const text = par?.bytes.toString('latin1') ?? ''
    const [line = ''] = /^1 1 1 1 3 .*$/m.exec(text) ?? []
    const end = (changed: (at: number) => string): MadeFile[] => [
      {
        name: 'a.par',
        bytes: Buffer.from([text, ...Array.from({ length: 8000 }, (_, at) => changed(at))].join('\n')),
      },
      { name: 'a.rec', bytes: rec?.bytes ?? Buffer.alloc(0) },
    ]
    // habit: the limit counts in the long run alone
    const started = performance.now()
    // One place at thousands of times, thousands of places at one; each a kind of its own; all the same.
    const scattered = end((at) => {
      const words = line.split(' ')
      words[words.length - 2] = String(at % 2 ? at : 0)
      // The middle of the slice, towards the head.
      words[18] = String(at % 2 ? 5 : at)
      return words.join(' ')
    })
    const reasons = (await look(scattered)).problems.map(({ reason }) => reason)
    expect(reasons).toContain('unequal_grids')
    expect((await look(end((at) => line.replace(/^1 1 1 1 3 0/, `1 ${at} 1 1 3 0`)))).problems).toMatchObject(
      [{ reason: 'two_studies' }],
    )
    expect((await look(end(() => line))).problems.some(({ isBlocking }) => isBlocking)).toBe(true)
    // habit: the limit counts in the long run alone
    expect(performance.now() - started).toBeLessThan(MOST_MS)
  })

  it('mutated, they make a study, or say why not', async () => {
    let state = 20_261_126
    const draw = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return (state >>> 1) % below
    }
    const tiny = makeField({ size: [4, 4, 2], frames: 2 })
    const seeds = [enhancedFiles(tiny, 'philips'), parFiles(tiny)]
    let made = 0
    for (let round = 0; round < 60; round += 1) {
      const seed = seeds[round % 2] ?? []
      const victim = draw(seed.length)
      const files = put(
        seed.map(({ name, bytes }, at) => {
          const copy = Buffer.from(bytes)
          for (let change = 0; at === victim && change < 6; change += 1) copy[draw(copy.length)] = draw(256)
          return { name, bytes: copy }
        }),
      )
      await lookAtFlow(files)
      const outcome = await making(files).catch((error: unknown) => error)
      if (outcome instanceof Error && !(outcome instanceof FlowRefusal)) throw outcome
      if (!(outcome instanceof Error)) made += 1
    }
    expect(made).toBeGreaterThan(5)
    expect(made).toBeLessThan(60)
  })
})

it('a study keeps the sum of its sources, and its numbers', async () => {
  const first = await making(put(siemens()))
  expect((await making(put(siemens().reverse()))).study).toEqual(first.study)
  const other = await making(put(siemens({ magnitudeAt: () => 7 })))
  expect(other.study.sources).not.toBe(first.study.sources)
  expect(new Set(readStudy(room.out).magnitude)).toEqual(new Set([7]))
})
