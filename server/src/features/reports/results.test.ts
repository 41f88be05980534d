import { evidenceSchema } from '@neuroloom/contract/evidence'
import { type Language, languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { textsOf } from '../../infra/texts.ts'
import { type ResultFacts, resultBlocks } from './results.ts'
import { wordsOf } from './words.ts'

const noEvidence = evidenceSchema.parse({
  v: 1,
  items: 12,
  groups: 12,
  intervals: {},
  perClass: [],
  curves: [],
  calibration: null,
  surfaces: [],
})
const surface = { class: 'class 1', measured: 12, mean: 2.5, median: 2, interval: null }

const makeFacts = (test: Partial<ResultFacts['test']>, changes: Partial<ResultFacts> = {}): ResultFacts => ({
  isCross: false,
  groups: [],
  evidence: noEvidence,
  test: { task: 'classification', metrics: {}, perClass: [], classes: [], confusion: null, ...test },
  ...changes,
})

const tablesOf = (facts: ResultFacts, language: Language = 'en') =>
  resultBlocks(facts, wordsOf(language)).filter((one) => one.kind === 'table')

const cross = { kept: 0, parts: [{ items: 12, epoch: 3, values: { dice: 0.9 } }] }
const worst = { name: 'a.nii', score: 0.8 }
/** A cross-validation of patients, which has each table that names its items. */
const outlined = (task: 'segmentation' | 'volume_segmentation') =>
  makeFacts(
    { task },
    {
      isCross: true,
      evidence: { ...noEvidence, surfaces: [surface], cross },
      groups: [{ name: 'patient 1', items: 2, mean: 0.85, worst }],
    },
  )

/** Of each table: what it calls items, and of the distances their caption. */
function itemWords(facts: ResultFacts, language: Language) {
  const [parts, groups, surfaces] = tablesOf(facts, language)
  return {
    words: [parts?.head[1], groups?.head[1], groups?.head[3], surfaces?.head[4]],
    caption: surfaces?.caption ?? '',
  }
}

describe('the items of results', () => {
  it.each([
    ['en', ['Volumes', 'Volumes', 'Worst volume', 'Volumes measured'], /surfaces .*, in mm$/],
    ['zh', ['三维图像', '三维图像', '最差的三维图像', '测量的三维图像数'], /表面.*单位为毫米$/],
    ['ru', ['Объёмы', 'Объёмы', 'Худший объём', 'Измерено объёмов'], /поверхностями.*, в мм$/],
  ] as const)('are volumes in %s where volumes were tested', (language, words, caption) => {
    const found = itemWords(outlined('volume_segmentation'), language)
    expect(found.words).toEqual(words)
    expect(found.caption).toMatch(caption)
  })

  it('are images with distances in pixels where images were tested', () => {
    const found = itemWords(outlined('segmentation'), 'en')
    expect(found.words).toEqual(['Images', 'Images', 'Worst image', 'Images measured'])
    expect(found.caption).toMatch(/outlines .*, in pixels$/)
  })
})

it.each([
  ['en', ['Background', 'Area 1']],
  ['zh', ['背景', '区域 1']],
  ['ru', ['Фон', 'Область 1']],
] as const)('the classes of masks have their names in %s in every table', (language, [ground, area]) => {
  const facts = makeFacts(
    {
      task: 'segmentation',
      classes: ['background', 'class 1'],
      perClass: [{ class: 'class 1', values: { dice: 0.9 } }],
      confusion: [
        [8, 1],
        [2, 7],
      ],
    },
    { evidence: { ...noEvidence, surfaces: [surface] } },
  )
  const [perClass, confusion, surfaces] = tablesOf(facts, language)
  expect(perClass?.rows[0]?.[0]).toBe(area)
  expect(confusion?.head.slice(1)).toEqual([ground, area])
  expect(confusion?.rows.map(([name]) => name)).toEqual([ground, area])
  expect(surfaces?.rows[0]?.[0]).toBe(area)
})

const ill = {
  class: 'ill',
  threshold: 0.173,
  basis: 'validation' as const,
  cases: 14,
  figures: [
    { name: 'sensitivity' as const, value: 0.8, interval: [0.7, 0.88] as [number, number] },
    { name: 'ppv' as const, value: 0.9, interval: null },
  ],
}
const decided = { ...noEvidence, decisions: [ill] }

it('a threshold is written in the same way in each table', () => {
  const [metrics, decisions] = tablesOf(makeFacts({ metrics: { threshold: 0.173 } }, { evidence: decided }))
  expect(metrics?.rows).toEqual([['Threshold', '17.3%', '–']])
  expect(decisions?.rows[0]?.slice(0, 2)).toEqual(['ill', '17.3%'])
  const few = { ...decided, decisions: [{ ...ill, threshold: 0.5, basis: 'few' as const }] }
  const [other] = tablesOf(makeFacts({}, { evidence: few }))
  expect(other?.rows[0]?.[1]).toBe('50.0% (fewer than 10 cases in validation)')
})

describe('recall and precision of each class', () => {
  const perClass = [{ class: 'ill', values: { recall: 0.8, precision: 0.9, f1: 0.847 } }]

  it('are shown once, by the names that doctors give them', () => {
    const [classes, decisions] = tablesOf(makeFacts({ perClass }, { evidence: decided }))
    expect(classes?.head).toEqual(['Class', 'F1'])
    expect(classes?.rows).toEqual([['ill', '0.847']])
    expect(decisions?.head).toContain('Found (sensitivity, recall)')
    expect(decisions?.rows[0]).toContain('0.800 (0.700 – 0.880)')
  })

  it('keep their columns where no decision holds them', () => {
    expect(tablesOf(makeFacts({ perClass }))[0]?.head).toEqual(['Class', 'Precision', 'Recall', 'F1'])
    expect(tablesOf(makeFacts({ perClass }, { evidence: null }))[0]?.head).toHaveLength(4)
  })

  it('leave no table of names alone', () => {
    const same = [{ class: 'ill', values: { recall: 0.8, precision: 0.9 } }]
    const tables = tablesOf(makeFacts({ perClass: same }, { evidence: decided }))
    expect(tables.map(({ anchor }) => anchor)).toEqual(['diagnostic'])
  })
})

/** Names of methods are no names of the range: score intervals, Student's intervals. */
const otherNames = {
  en: /95 % interval/,
  zh: /95 ?% ?(?:置信)?区间/,
  ru: /95 %(?:-й|-е)? (?:доверительн\S+ )?интервал/,
}

it.each(languages)('the range in which a figure would lie has one name in %s', (language) => {
  const found = ['report', 'claim', 'figures', 'flow-report'].flatMap((name) =>
    Object.entries(textsOf(name, language)).filter(([, text]) => otherNames[language].test(text)),
  )
  expect(found).toEqual([])
})
