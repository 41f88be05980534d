import { describe, expect, it } from 'vitest'
import { classNames } from './class-names.ts'
import { wordsOf } from './words.ts'
import { neverFoundNotes, worstClassSentences } from './worst-class.ts'

const named = ['background', 'foreground', 'class 3', 'vessel']

describe('the classes of masks in a report', () => {
  it.each([
    ['en', ['Background', 'Marked area', 'Area 3', 'vessel']],
    ['zh', ['背景', '标注区域', '区域 3', 'vessel']],
    ['ru', ['Фон', 'Отмеченная область', 'Область 3', 'vessel']],
  ] as const)('have their names in %s, unless their owner named them', (language, wanted) => {
    for (const task of ['segmentation', 'volume_segmentation'] as const)
      expect(named.map(classNames(task, wordsOf(language)))).toEqual(wanted)
  })

  it('have those names in the sentences on the worst class, too', () => {
    const words = wordsOf('ru')
    const perClass = [
      { class: 'class 1', values: { sensitivity: 0, dice: 0 } },
      { class: 'class 2', values: { sensitivity: 0.9, dice: 0.9 } },
    ]
    const result = { task: 'segmentation' as const, perClass }
    expect(worstClassSentences(result, words)[0]).toContain('Область 1')
    expect(neverFoundNotes(result, words)[0]).toContain('(Область 1)')
  })

  it('keep their names where whole images or boxes have classes', () => {
    for (const task of ['classification', 'multilabel', 'detection'] as const)
      expect(named.map(classNames(task, wordsOf('ru')))).toEqual(named)
  })
})
