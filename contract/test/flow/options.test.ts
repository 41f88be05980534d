import { readFileSync } from 'node:fs'
import {
  drawnWidth,
  type FlowChoice,
  figureWidth,
  flowKinds,
  flowOptions,
  flowPresets,
  flowProblems,
  flowReasons,
  isFaint,
  optionProblem,
  startSettings,
  videoSize,
} from '@neuroloom/contract/flow/options'
import { flowPresetSchema, flowSettingsSchema } from '@neuroloom/contract/flow/options-schema'
import { flowRunSchema } from '@neuroloom/contract/flow/run'
import { runProblems } from '@neuroloom/contract/flow/run-problems'
import { describe, expect, it } from 'vitest'

const choice: FlowChoice = {
  kinds: ['vortex', 'fluidLine'],
  settings: startSettings,
  fitOrder: 1,
  frames: 'all',
  slice: 3,
}
const facts = { width: 128, height: 96, slices: 24, frames: 20 }
const withSettings = (settings: Partial<typeof startSettings>): FlowChoice => ({
  ...choice,
  settings: { ...startSettings, ...settings },
})
const run = {
  kinds: ['vortex'],
  settings: startSettings,
  fitOrder: 1,
  seed: 7,
  corrections: { offset: null, unwrap: true, turn: null },
  mask: { kind: 'threshold', level: null, grow: [[3, 4, 5]] },
}

const texts = Object.fromEntries(
  ['en', 'zh', 'ru'].map((language) => {
    const url = new URL(`../../locales/${language}/flow-options.json`, import.meta.url)
    return [language, JSON.parse(readFileSync(url, 'utf8')) as Record<string, Record<string, string>>]
  }),
)
const said = (language: string, { reason, params }: { reason: string; params: Record<string, number> }) =>
  texts[language]?.refused?.[reason]?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name]))

describe('27: what is refused, in the words of each language', () => {
  it.each([
    [
      'neither kind',
      { ...choice, kinds: [] },
      facts,
      'Fluid results need at least one of vortex or fluid line. Choose one or both.',
      '流体结果至少需要涡旋或流线之一。请选择其中一项或两项。',
      'Для результатов о потоке нужен хотя бы один вид: вихрь или линии тока. Выберите один или оба.',
    ],
    [
      'an even window',
      withSettings({ vorticityCalculationWindow: 6 }),
      facts,
      'The vorticity calculation window must be odd, so that it has a middle; 6 is even.',
      '涡量计算窗口必须为奇数，这样才有中心；6 是偶数。',
      'Окно расчёта завихрённости должно быть нечётным, чтобы у него была середина; 6 — чётное число.',
    ],
    [
      'a window larger than the plane',
      withSettings({ vorticityCalculationWindow: 11 }),
      { ...facts, height: 10 },
      'The vorticity calculation window (11) is larger than the smaller side of the image. The largest that fits is 9.',
      '涡量计算窗口（11）大于图像较短的一边。可用的最大值是 9。',
      'Окно расчёта завихрённости (11) больше короткой стороны изображения. Самое большое из подходящих — 9.',
    ],
  ])('%s', (_, asked, given, en, zh, ru) => {
    const problems = flowProblems(asked as FlowChoice, given)
    expect(problems).toHaveLength(1)
    const [problem = { reason: '', params: {} }] = problems
    expect(['en', 'zh', 'ru'].map((language) => said(language, problem))).toEqual([en, zh, ru])
  })

  it('and nothing else of what the product starts with', () => {
    expect(flowProblems(choice, facts)).toEqual([])
    for (const settings of Object.values(flowPresets)) {
      expect(flowProblems({ ...choice, settings }, facts)).toEqual([])
      expect(flowSettingsSchema.parse(settings)).toEqual(settings)
    }
  })
})

describe('a choice', () => {
  const reasons = (asked: FlowChoice, given = facts) =>
    flowProblems(asked, given).map(({ field, reason, params }) => [field, reason, params])

  it('of too many arrows is told the spacing that will do', () => {
    const asked = withSettings({ spacingBetweenArrows: 1 })
    expect(reasons(asked)).toEqual([])
    expect(reasons(asked, { ...facts, width: 512, height: 512 })).toEqual([
      ['spacingBetweenArrows', 'arrows_many', { count: 262_144, limit: 20_000, spacing: 4 }],
    ])
  })

  it('of a window is looked at where vorticity is asked for alone', () => {
    const asked = { ...withSettings({ vorticityCalculationWindow: 4 }), kinds: ['fluidLine'] as const }
    expect(reasons(asked)).toEqual([])
    const cubic = { ...withSettings({ vorticityCalculationWindow: 3 }), fitOrder: 3 as const }
    expect(reasons(cubic)).toEqual([['fitOrder', 'window_cubic', { window: 3 }]])
    expect(reasons(choice, { ...facts, width: 2 })).toEqual([
      ['vorticityCalculationWindow', 'window_large', { window: 5, largest: 0 }],
    ])
  })

  it('of slices and frames that are not there', () => {
    expect(reasons({ ...choice, slice: 24, frames: [0, 20] })).toEqual([
      ['slice', 'slice_missing', { slice: 25, count: 24 }],
      ['frames', 'frame_missing', { frame: 21, count: 20 }],
    ])
    expect(reasons({ ...choice, slice: null, frames: [19] })).toEqual([])
  })
})

describe('each option', () => {
  it.each([
    ['imageClarity', [72, 600], [71, 601, 150.5, '150', null]],
    ['spacingBetweenArrows', [1, 16], [0, 17, 2.5]],
    ['arrowColor', ['speed', '#ffd400'], ['yellow', '#FFF', '#GGGGGG', 5]],
    ['arrowWidth', [0.5, 6, 1.1, 0.7], [0.4, 6.1, 1.55]],
    ['arrowScaling', [0.1, 5, 0.3], [0, 5.1, Number.NaN, Number.POSITIVE_INFINITY]],
    ['contourmapsShow', [true, false], ['true', 1]],
    ['vorticityCalculationWindow', [3, 15], [1, 17, 5.5]],
    ['lineWidth', [0.25, 8, 1.75], [0, 8.25, 1.1]],
    ['linDensity', [0.2, 5, 0.7], [0.1, 5.1, 0.25]],
  ] as const)(
    '%s takes what lies in its range and on its step, by itself and in the schema',
    (name, good, bad) => {
      const parse = (value: unknown) =>
        flowSettingsSchema.safeParse({ ...startSettings, [name]: value }).success
      for (const value of good) {
        expect([value, optionProblem(name, value), parse(value)]).toEqual([value, null, true])
      }
      for (const value of bad) {
        expect([value, optionProblem(name, value) === null, parse(value)]).toEqual([value, false, false])
      }
    },
  )

  it('has a name and a meaning in each language, and reasons have their words and params', () => {
    for (const given of Object.values(texts)) {
      for (const part of ['name', 'about'])
        expect(Object.keys(given[part] ?? {})).toEqual(Object.keys(flowOptions))
      for (const { unit } of Object.values(flowOptions)) if (unit) expect(given.unit).toHaveProperty(unit)
      for (const kind of flowKinds) expect(given.kind).toHaveProperty(kind)
      expect(Object.keys(given.refused ?? {})).toEqual([...flowReasons])
      expect(Object.keys(given.preset ?? {})).toEqual(Object.keys(flowPresets))
    }
  })
})

describe('a run', () => {
  it('is read as it is written', () => {
    expect(flowRunSchema.parse(run)).toEqual(run)
    const mask = { kind: 'file', fileId: 'one' }
    const corrections = { offset: 2, unwrap: false, turn: { order: [2, 0, 1], signs: [1, -1, 1] } }
    expect(flowRunSchema.safeParse({ ...run, mask, corrections }).success).toBe(true)
    expect(flowPresetSchema.parse({ name: ' mine ', settings: startSettings }).name).toBe('mine')
  })

  it('leaves what has words of its own to them', () => {
    const even = { ...startSettings, vorticityCalculationWindow: 4 }
    expect(flowRunSchema.safeParse({ ...run, kinds: [], settings: even }).success).toBe(true)
  })

  it.each([
    ['an unknown kind', { kinds: ['fire'] }],
    ['a kind twice', { kinds: ['vortex', 'vortex'] }],
    ['order 2 of the window', { fitOrder: 2 }],
    ['an offset of order 4', { corrections: { ...run.corrections, offset: 4 } }],
    [
      'one component twice',
      { corrections: { ...run.corrections, turn: { order: [0, 0, 1], signs: [1, 1, 1] } } },
    ],
    [
      'all signs turned',
      { corrections: { ...run.corrections, turn: { order: [0, 1, 2], signs: [-1, 1, 1] } } },
    ],
    ['a level above the top', { mask: { ...run.mask, level: 1.1 } }],
    ['a broken seed', { seed: 1.5 }],
    ['one option less', { settings: { ...startSettings, linDensity: undefined } }],
  ])('is refused with %s', (_, broken) => {
    expect(flowRunSchema.safeParse({ ...run, ...broken }).success).toBe(false)
  })
})

describe('a figure', () => {
  it('is 8 inches wide, and lines grow with it', () => {
    expect(figureWidth(startSettings.imageClarity)).toBe(1200)
    expect(drawnWidth(1.5, 192)).toBe(3)
  })
  it('as a video is even, and no larger than 1920 × 1080 with the same shape', () => {
    expect(videoSize({ width: 4800, height: 3001 })).toEqual({ width: 1726, height: 1080 })
    expect(videoSize({ width: 801, height: 603 })).toEqual({ width: 800, height: 602 })
  })
  it('tells of colours that hardly stand out from grey', () => {
    expect(['#FFD400', '#000000', '#ffffff', 'speed'].map(isFaint)).toEqual([false, false, false, false])
    expect(['#888888', '#aa5500'].map(isFaint)).toEqual([true, true])
  })
})

describe('what stands in the way of a run', () => {
  const asked = { kinds: ['vortex'], settings: startSettings, fitOrder: 1 } as const

  it('is asked of the plane of a slice: few slices are none', () => {
    expect(runProblems(asked, { size: [40, 36, 4], frames: 6 })).toEqual([])
    expect(runProblems(asked, { size: [40, 4, 36], frames: 6 })).toMatchObject([{ reason: 'window_large' }])
    expect(runProblems({ ...asked, kinds: [] }, { size: [40, 36, 4], frames: 6 })).toMatchObject([
      { field: 'kinds', reason: 'kind_missing' },
    ])
  })

  it('is refused where the memory would not do, with the number of frames that would', () => {
    const block = { size: [160, 160, 40] as [number, number, number] }
    // Both were computed within 4 GB: 51 and 61 million voxels times frames took 3.13 and 3.68 GB.
    expect(runProblems(asked, { ...block, frames: 50 })).toEqual([])
    const [problem, ...others] = runProblems(asked, { ...block, frames: 80 })
    expect(others).toEqual([])
    expect(problem).toMatchObject({ field: 'frames', reason: 'frames_many', params: { given: 4 } })
    const frames = problem?.params.frames ?? 0
    expect(problem?.params.needed).toBeGreaterThan(5)
    expect(runProblems(asked, { ...block, frames })).toEqual([])
    expect(runProblems(asked, { ...block, frames: frames + 1 })).toMatchObject([
      { reason: 'frames_many', params: { frames } },
    ])
  })

  it('is refused where not even one frame would do, as no number of frames helps', () => {
    const problems = runProblems(asked, { size: [400, 400, 400], frames: 1 })
    expect(problems).toMatchObject([{ field: 'frames', reason: 'block_large', params: { given: 4 } }])
  })
})
