import { languages } from '@neuroloom/contract/language'
import { type Step, stepSchema } from '@neuroloom/contract/recipes/recipe'
import { expect, it } from 'vitest'
import { recipeSentence } from './recipe-words.ts'
import { wordsOf } from './words.ts'

const sides = { width: 64, height: 48 }
const steps: Step[] = [
  ...(['stretch', 'inside', 'filled'] as const).map((how) => ({ do: 'size' as const, how, ...sides })),
  { do: 'crop', how: 'centre', ...sides },
  { do: 'crop', how: 'box', left: 1, top: 2, ...sides },
  { do: 'crop', how: 'content', above: 5, margin: 2 },
  { do: 'pad', fill: 'edge', ...sides },
  { do: 'rotate', degrees: 90 },
  { do: 'flip', axis: 'horizontal' },
  { do: 'flip', axis: 'vertical' },
  { do: 'grey' },
  { do: 'clahe', tiles: 8, clip: 2 },
  { do: 'window', centre: -600, width: 1500 },
  { do: 'normalise', how: 'minmax' },
  { do: 'normalise', how: 'zscore' },
  { do: 'normalise', how: 'percentile', low: 1, high: 99 },
  { do: 'denoise', how: 'median', radius: 1 },
  { do: 'denoise', how: 'gaussian', sigma: 1.5 },
  { do: 'denoise', how: 'means', strength: 1 },
  { do: 'bias', degree: 2 },
  { do: 'index', others: 'refuse', colours: [{ colour: '#ff0000', value: 1 }] },
  { do: 'tiles', overlap: 4, ...sides },
  { do: 'grow', how: 'grow', radius: 2, value: 0 },
  { do: 'grow', how: 'shrink', radius: 2, value: 1 },
  { do: 'fill', value: 0 },
  { do: 'pieces', how: 'largest', least: 0, value: 0 },
  { do: 'pieces', how: 'least', least: 100, value: 0 },
  { do: 'remap', map: [{ from: 255, to: 1 }], rest: 'stay' },
]

it('has words for every step in every language', () => {
  expect(new Set(steps.map((step) => step.do)).size).toBe(stepSchema.options.length)
  for (const language of languages) {
    const said = recipeSentence({ v: 1, name: 'Lung', version: '0a1b2c3d', steps }, wordsOf(language))
    expect(said).toMatch(/Lung.*0a1b2c3d.*64.*-600.*1500/)
    expect(said).not.toContain('{{')
  }
})

it('says of a recipe that nobody kept its version alone', () => {
  const said = recipeSentence({ v: 1, version: '0a1b2c3d', steps: [{ do: 'grey' }] }, wordsOf('en'))
  expect(said).toBe('The files were prepared beforehand by a recipe (version 0a1b2c3d): made grey.')
})
