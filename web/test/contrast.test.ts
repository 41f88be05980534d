import { expect, it } from 'vitest'
import { contrastingTint } from '../src/features/datasets/contrast.ts'

it.each([
  ['purple tissue', [170, 110, 190], '--nl-box-5'],
  ['red blood', [200, 60, 50], '--nl-box-2'],
  ['a green field', [60, 170, 70], '--nl-predicted'],
  ['a grey film', [120, 121, 119], '--nl-box-2'],
] as const)('a mask over %s is seen', (_, mean, tint) => {
  expect(contrastingTint(mean)).toBe(tint)
})
