import { evidenceSchema } from '@neuroloom/contract/evidence'
import { languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { type AbstractFacts, abstractBlocks } from './abstract.ts'
import { drawHistogram, drawScoreCard } from './abstract-charts.ts'
import { wordsOf } from './words.ts'

const curve = {
  ...{ class: 'ill', positives: 30, negatives: 70, rocAuc: 0.94, averagePrecision: 0.9 },
  points: [{ threshold: 0.5, sensitivity: 0.9, specificity: 0.8, precision: 0.85 }],
}
const evidence = evidenceSchema.parse({
  ...{ v: 1, items: 100, groups: 60, method: 'score', perClass: [], calibration: null, surfaces: [] },
  intervals: { accuracy: [0.85, 0.95], dice: [0.7, 0.9], ssim: [0.8, 0.9] },
  curves: [curve],
})

const makeFacts = (
  test: Partial<AbstractFacts['test']>,
  changes: Partial<AbstractFacts> = {},
): AbstractFacts => ({
  test: {
    task: 'classification',
    metrics: { accuracy: 0.912 },
    perClass: [],
    classes: ['ill', 'well'],
    ...test,
  },
  items: 100,
  scores: [0.1, 0.5, 0.9],
  evidence,
  ...changes,
})

const picture = (name: string) => ({ url: name, heat: null, name, caption: '' })
const shown = {
  best: ['a', 'b', 'c'].map(picture),
  worst: ['u', 'v', 'w', 'x', 'y', 'z'].map(picture),
}
const blocksOf = (facts: AbstractFacts, some = shown, language: (typeof languages)[number] = 'en') =>
  abstractBlocks(facts, wordsOf(language), some)

const drawingsOf = (facts: AbstractFacts) =>
  blocksOf(facts).flatMap((block) => (block.kind === 'drawings' ? block.drawings : []))
const namesOf = (facts: AbstractFacts, some = shown) =>
  blocksOf(facts, some).flatMap((block) =>
    block.kind === 'pictures' ? [[block.text, ...block.pictures.map(({ name }) => name)]] : [],
  )

describe('the first page', () => {
  it('tells the score, its range and the number of cases, in words too', () => {
    const [score] = drawingsOf(makeFacts({}))
    expect(score?.text).toBe(
      'Accuracy: 91.2%. 95 % range: 85.0% to 95.0%. n = 100 images, 60 independent cases.',
    )
    expect(score?.svg).toContain('>91.2%<')
  })

  it('shows the ROC curve where there is one, else how many images have which score', () => {
    expect(drawingsOf(makeFacts({}))[1]).toMatchObject({ text: 'ill 0.940' })
    const drawn = makeFacts(
      { task: 'segmentation', metrics: { dice: 0.8 } },
      { evidence: { ...evidence, curves: [] } },
    )
    expect(drawingsOf(drawn)[1]).toMatchObject({
      caption: 'Score image by image',
      text: '3 images with a score: lowest 0.100, median 0.500, highest 0.900.',
    })
  })

  it('stands on a scale from 0 to 1 where the main figure is in decibels, and names what it shows', () => {
    const facts = makeFacts(
      { task: 'denoising', metrics: { psnr: 31.2, ssim: 0.87 } },
      { evidence: { ...evidence, curves: [] }, scores: [28, 31, 33] },
    )
    const [score, scores] = drawingsOf(facts)
    expect(score?.text).toContain('SSIM: 0.870. 95 % range: 0.800 to 0.900.')
    expect(scores?.svg).toContain('PSNR (dB)')
  })

  it('says why there is no range', () => {
    const few = { ...evidence, groups: 4, intervals: {} }
    expect(drawingsOf(makeFacts({}, { evidence: few }))[0]?.text).toContain('too few independent cases')
    const none = drawingsOf(makeFacts({}, { evidence: null }))
    expect(none[0]?.text).toContain('No 95 % range is known')
  })

  it('shows the three best and the three worst images', () => {
    expect(namesOf(makeFacts({}))).toEqual([
      ['Best images', 'a', 'b', 'c'],
      ['Worst images', 'u', 'v', 'w'],
    ])
  })

  it('shows no image of a small test twice', () => {
    const four = { best: ['d', 'c', 'b'].map(picture), worst: ['a', 'b', 'c', 'd'].map(picture) }
    expect(namesOf(makeFacts({}, { items: 4 }), four)).toEqual([
      ['Best images', 'd', 'c'],
      ['Worst images', 'a', 'b'],
    ])
    const one = { best: [picture('a')], worst: [picture('a')] }
    expect(namesOf(makeFacts({}, { items: 1 }), one)).toEqual([['Worst images', 'a']])
  })

  it.each(languages)('has all of its words in %s, of volumes too', (language) => {
    const facts = makeFacts(
      { task: 'volume_segmentation', metrics: { dice: 0.8 } },
      { evidence: { ...evidence, curves: [] } },
    )
    expect(JSON.stringify(blocksOf(facts, shown, language))).not.toMatch(/\{\{|undefined|NaN/)
  })
})

describe('its drawings', () => {
  const card = { title: 'Dice', value: '0.8', lines: [], key: '', writeMark: String }

  it('the bar of a score keeps within its scale', () => {
    const svg = drawScoreCard({ ...card, score: 0.5, range: [0.25, 1] })
    // From a quarter to the end of a bar that begins at 24 and is 332 wide.
    expect(svg).toMatch(/<rect x="107\.0"[^>]*width="249\.0"/)
    expect(svg).toContain('<path d="M190.0 ')
    expect(drawScoreCard({ ...card, score: null, range: null })).not.toContain('stroke-width="2.6"')
  })

  it('a histogram counts each value once, the highest too', () => {
    const svg = drawHistogram({ x: 'x', y: 'Images', values: [0, 0.05, 0.5, 1, 1], isUnit: true })
    const [, path = ''] = /<path d="([^"]*)" fill="#0b6e99"/.exec(svg) ?? []
    const heights = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
    const [ground = 0] = heights
    const top = Math.min(...heights)
    const counts = heights.slice(1, -1).map((y) => Math.round(((ground - y) / (ground - top)) * 2))
    expect(counts.filter((_, index) => index % 2 === 0)).toEqual([2, 0, 0, 0, 0, 1, 0, 0, 0, 2])
    expect(drawHistogram({ x: '', y: '', values: [3, 3], isUnit: false })).not.toContain('NaN')
  })
})
