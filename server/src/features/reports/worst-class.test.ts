import { languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { wordsOf } from './words.ts'
import { neverFoundNotes, worstClassSentences } from './worst-class.ts'

const result = {
  task: 'detection' as const,
  perClass: [
    { class: 'Platelets', values: { boxes: 15, recall: 0 } },
    { class: 'RBC', values: { boxes: 213, recall: 152 / 213 } },
  ],
}

describe('the worst class in a report', () => {
  it('is the one that was never found, in the summary and among the limits', () => {
    expect(worstClassSentences(result, wordsOf('en'))).toEqual(['Never found: Platelets (0 of 15).'])
    expect(neverFoundNotes(result, wordsOf('en'))[0]).toContain('never found (Platelets)')
  })

  it('is the one that was found least where all were found', () => {
    const [, found] = result.perClass
    const perClass = [...(found ? [found] : []), { class: 'WBC', values: { boxes: 16, recall: 1 } }]
    expect(worstClassSentences({ ...result, perClass }, wordsOf('en'))).toEqual([
      'Found least often: RBC (152 of 213).',
    ])
    expect(neverFoundNotes({ ...result, perClass }, wordsOf('en'))).toEqual([])
  })

  it.each(languages)('is named in %s', (language) => {
    expect(worstClassSentences(result, wordsOf(language))[0]).toMatch(/Platelets.*15/)
  })
})
