import { languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { textsOf } from '../texts.ts'

describe('the name of a figure', () => {
  it.each(languages)('is in %s the same on the page and in the report', (language) => {
    const [page, report] = [textsOf(language, 'runs'), textsOf(language, 'report')]
    const names = Object.keys(report).filter((key) => key.startsWith('metric.') && `${key}.name` in page)
    expect(names.length).toBeGreaterThan(20)
    expect(names.map((key) => [key, report[key]])).toEqual(names.map((key) => [key, page[`${key}.name`]]))
  })
})
