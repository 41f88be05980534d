import { figureMean, plainFigure } from '@neuroloom/contract/evidence/figure-means'
import { describe, expect, it } from 'vitest'

/** Of three classes one is never shown: it has a recall and an F1 of 0 and no precision. */
const perClass = [
  { class: 'Platelets', values: { boxes: 15, precision: null, recall: 0, f1: 0 } },
  { class: 'RBC', values: { boxes: 213, precision: 0.451, recall: 0.714, f1: 0.553 } },
  { class: 'WBC', values: { boxes: 16, precision: 0.739, recall: 1, f1: 0.85 } },
]
const now = { task: 'detection' as const, perClass, metrics: { precision: 0.397, microF1: 0.559 } }
const before = { ...now, metrics: { precision: 0.595 } }

describe('what a figure is a mean of', () => {
  it('is of boxes the same classes for precision, recall and F1', () => {
    for (const name of ['precision', 'recall', 'f1'])
      expect(figureMean(name, now)).toEqual({ kind: 'classes', of: 3 })
    expect(figureMean('microF1', now)).toBeNull()
  })

  it('says of tests of before that a class was left out', () => {
    expect(figureMean('precision', before)).toEqual({ kind: 'someClasses', over: 2, of: 3 })
    expect(figureMean('recall', before)).toEqual({ kind: 'classes', of: 3 })
  })

  it('tells means over images from figures of all points together', () => {
    const outlines = { task: 'segmentation' as const, metrics: {}, perClass: [] }
    expect(figureMean('dice', outlines)).toEqual({ kind: 'images' })
    expect(figureMean('iou', outlines)).toEqual({ kind: 'pooled' })
    expect(figureMean('pooledDice', outlines)).toEqual({ kind: 'pooled' })
    for (const name of ['meanIou', 'meanSensitivity', 'meanSpecificity'])
      expect(figureMean(name, outlines)).toEqual({ kind: 'images' })
    expect(['meanIou', 'iou', 'pooledDice', 'loss'].map(plainFigure)).toEqual(['iou', 'iou', 'dice', 'loss'])
    expect(figureMean('loss', outlines)).toBeNull()
  })

  it('speaks of volumes where volumes were measured', () => {
    const volumes = { task: 'volume_segmentation' as const, metrics: {}, perClass: [] }
    expect(figureMean('dice', volumes)).toEqual({ kind: 'volumes' })
    expect(figureMean('iou', volumes)).toEqual({ kind: 'pooledVolumes' })
    expect(figureMean('hd95', volumes)).toBeNull()
  })
})
