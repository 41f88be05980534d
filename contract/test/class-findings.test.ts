import { classFindings, classMark, neverFound } from '@neuroloom/contract/evidence/class-findings'
import { describe, expect, it } from 'vitest'

/** True and found boxes of a test: of each class how many there are, and how many are found. */
const boxes = [
  { class: 'Platelets', truth: 15, found: 0 },
  { class: 'RBC', truth: 213, found: 152 },
  { class: 'WBC', truth: 16, found: 16 },
]
const detected = boxes.map(({ class: name, truth, found }) => ({
  class: name,
  values: { boxes: truth, recall: found / truth, ap50: 0.5 },
}))

describe('class findings', () => {
  it('name every class that was never found, with the number of its cases', () => {
    expect(classFindings('detection', detected)).toEqual([
      { kind: 'never', class: 'Platelets', found: 0, of: 15 },
    ])
    expect(neverFound('detection', detected)).toEqual(['Platelets'])
  })

  it('name the worst class where each was found', () => {
    expect(classFindings('detection', detected.slice(1))).toEqual([
      { kind: 'seldom', class: 'RBC', found: 152, of: 213 },
    ])
    expect(neverFound('detection', detected.slice(1))).toEqual([])
  })

  it('say nothing where all is found, of a single class, and of one that does not occur', () => {
    expect(classFindings('detection', detected.slice(2))).toEqual([])
    const whole = ['a', 'b'].map((name) => ({ class: name, values: { support: 4, recall: 1 } }))
    expect(classFindings('classification', whole)).toEqual([])
    const absent = [
      { class: 'a', values: { support: 0, recall: null } },
      { class: 'b', values: { support: 4, recall: 0.5 } },
    ]
    expect(classFindings('multilabel', absent)).toEqual([])
  })

  it('speak of outlines by their Dice', () => {
    const outlined = [
      { class: 'liver', values: { dice: 0.9, sensitivity: 0.95 } },
      { class: 'tumour', values: { dice: 0.02, sensitivity: 0 } },
    ]
    expect(classFindings('segmentation', outlined)).toEqual([
      { kind: 'neverOutlined', class: 'tumour', dice: 0.02 },
    ])
    expect(classFindings('super_resolution', [])).toEqual([])
  })

  it('mark what is missed more often than found', () => {
    const marks = [0, 0.4, 0.5].map((recall) =>
      classMark('classification', { class: 'a', values: { support: 10, recall } }),
    )
    expect(marks).toEqual(['never', 'seldom', null])
  })
})
