import { decisionFigures } from '@neuroloom/contract/decision'
import { languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { textsOf } from '../texts.ts'

it.each(languages)('a class of masks has in %s one name on the page and in the report', (language) => {
  const [page, report] = (['datasets', 'report'] as const).map((name) =>
    Object.entries(textsOf(language, name)).filter(([key]) => key.startsWith('class.')),
  )
  expect(report).toHaveLength(3)
  expect(report).toEqual(page)
})

describe('the name of a figure', () => {
  it.each(languages)('is in %s the same on the page and in the report', (language) => {
    const [page, report] = [textsOf(language, 'runs'), textsOf(language, 'report')]
    const names = Object.keys(report).filter((key) => key.startsWith('metric.') && `${key}.name` in page)
    expect(names.length).toBeGreaterThan(20)
    expect(names.map((key) => [key, report[key]])).toEqual(names.map((key) => [key, page[`${key}.name`]]))
  })

  it.each(languages)('is in %s the same in both tables of what answers are worth', (language) => {
    const [page, report] = [textsOf(language, 'evidence'), textsOf(language, 'report')]
    const ofPage = {
      ...{ threshold: page['decisions.threshold'], range: page['intervals.range'] },
      ...Object.fromEntries(decisionFigures.map((name) => [name, page[`decisions.figure.${name}`]])),
    }
    expect(Object.fromEntries(Object.keys(ofPage).map((name) => [name, report[`table.${name}`]]))).toEqual(
      ofPage,
    )
  })
})
