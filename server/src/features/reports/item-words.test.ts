import type { languages } from '@neuroloom/contract/language'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { externalText, internalText } from './external.ts'
import { countedItems, pictureText } from './item-words.ts'
import { reachedSentences } from './sections.ts'
import { wordsOf } from './words.ts'

const english = wordsOf('en')
type Result = Parameters<typeof pictureText>[0]['worst'][number]['result']
const explained = (task: Task, ...results: Result[]) =>
  pictureText({ test: { task }, worst: results.map((result) => ({ result })) }, english)

describe('the text above the worst images', () => {
  it('explains boxes by the colour of their class and by dashes', () => {
    const text = explained('detection', { size: [640, 480] }, { size: [320, 240] })
    expect(text).toContain('Green: true boxes')
    expect(text).toContain('a colour for each class; dashed where no such thing is there')
    expect(text).not.toContain('Magenta')
  })

  it('explains the boxes of earlier tests, which are all magenta', () => {
    expect(explained('detection', {})).toContain('Magenta: what the network found')
  })

  it('names the enlargement that super-resolution is compared with', () => {
    for (const whole of [null, 'whole.png'])
      expect(explained('super_resolution', { whole })).toContain(
        'From left to right: plain enlargement (bicubic), result, truth, error.',
      )
  })

  it('calls it the input in earlier tests of super-resolution, and in denoising', () => {
    expect(explained('super_resolution', {})).toContain('left to right: input, result')
    expect(explained('denoising', { whole: null })).toContain('left to right: input, result')
  })

  it('speaks of volumes and their slices where these were drawn', () => {
    expect(explained('volume_segmentation', {})).toMatch(/^The volumes .* slice .* Magenta/)
    expect(explained('segmentation', {})).toMatch(/^The images .* Magenta/)
  })

  it('explains outlines of several classes by their colours', () => {
    for (const [task, of] of [
      ['segmentation', /^The images/],
      ['volume_segmentation', /^The volumes .* slice/],
    ] as const) {
      const text = explained(task, { palette: 'classes' })
      expect(text).toMatch(of)
      expect(text).toContain('a colour for each class')
      expect(text).not.toContain('Magenta')
    }
  })
})

type Reached = Parameters<typeof reachedSentences>[0]
const reached = (task: Task, changes: Partial<Reached> = {}): Reached => ({
  isCross: false,
  items: 21,
  inputs: { part: 'held-out' },
  evidence: { intervals: { dice: [0.994, 0.996] } },
  test: { task, metrics: { dice: 0.995 }, validation: { method: 'kfold', splits: 5, seed: 1 } },
  ...changes,
})

describe('the first sentence of a report', () => {
  it.each([
    ['en', /^21 volumes were/, /^On 21 volumes of/, /each of 21 volumes/],
    ['zh', /^训练前留出了 21 个三维图像/, /21 个三维图像上的结果/, /21 个三维图像各测试一次/],
    ['ru', /^До обучения отложен 21 объём,/, /^На 21 объёме из/, /всего объёмов: 21/],
  ] as const)('counts volumes in %s', (language, heldOut, other, cross) => {
    const words = wordsOf(language)
    const first = (changes?: Partial<Reached>) =>
      reachedSentences(reached('volume_segmentation', changes), words)[0]
    expect(first()).toMatch(heldOut)
    expect(first({ inputs: { part: 'all' } })).toMatch(other)
    expect(first({ isCross: true })).toMatch(cross)
  })

  it('counts images where images were tested', () => {
    expect(reachedSentences(reached('segmentation'), english)[0]).toMatch(/^21 images were/)
  })

  it.each([
    ['en', '95 % range: 0.994 to 0.996. '],
    ['zh', '95% 范围：0.994 至 0.996。'],
    ['ru', 'Диапазон 95 %: от 0,994 до 0,996. '],
  ] as const)('is followed in %s by the range of the figure', (language, range) => {
    const [, second] = reachedSentences(reached('segmentation'), wordsOf(language))
    expect(second?.startsWith(range)).toBe(true)
    const withoutRange = reached('segmentation', { evidence: null })
    expect(reachedSentences(withoutRange, wordsOf(language))).toHaveLength(1)
  })
})

it.each([
  ['en', '1 volume', '4 volumes'],
  ['zh', '1 个三维图像', '4 个三维图像'],
  ['ru', '1 объём', '4 объёма'],
] as const)('volumes are counted as such in %s', (language, one, four) => {
  const words = wordsOf(language)
  expect([1, 4].map((count) => countedItems(count, 'volume_segmentation', words))).toEqual([one, four])
  expect(countedItems(4, 'segmentation', words)).not.toBe(four)
})

describe('tests on own and on other data', () => {
  type Facts = Parameters<typeof internalText>[0]
  const beside = (task: Task) => ({
    test: { task, datasetName: 'other', validation: { method: 'kfold', splits: 5, seed: 1 } },
    ...{ evidence: null, items: 12, isInternal: true, isCross: true, overlap: null },
  })
  const shared = (images: number) => ({ isInternal: false, isCross: false, overlap: { images, patients: 0 } })
  const gone = { isInternal: false, isCross: false, overlap: null }
  const said = (task: Task, language: (typeof languages)[number]): string => {
    const all = [{}, shared(0), shared(3), gone].map((changes) => ({ ...beside(task), ...changes }))
    // as: of all facts these sentences need the tests alone.
    const facts = { beside: all } as unknown as Facts
    const words = wordsOf(language)
    return `${internalText(facts, words)} ${externalText(facts, words)}`
  }

  it.each([
    ['en', /image/i, /volume/],
    ['zh', /图像/, /三维图像/],
    ['ru', /снимк|изображени/i, /объём/],
  ] as const)('speak of volumes in %s where volumes were tested', (language, images, volumes) => {
    const ofVolumes = said('volume_segmentation', language).replaceAll('三维图像', 'volume')
    expect(ofVolumes).not.toMatch(images)
    expect(said('segmentation', language)).toMatch(images)
    expect(said('segmentation', language)).not.toMatch(volumes)
    expect(said('volume_segmentation', language)).not.toMatch(/\{\{|undefined/)
  })
})
