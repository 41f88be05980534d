import { expect, it } from 'vitest'
import { type Rgb, recolour, rgbOf } from '../src/features/datasets/class-colours.ts'

const shades = [
  { shade: '#000000', class: 0 },
  { shade: '#7f7f7f', class: 2 },
  { shade: '#ff8000', class: -1 },
  { shade: '#ffffff', class: 1 },
]
const colours: Record<number, Rgb> = { 1: [10, 20, 30], 2: [40, 50, 60] }
const colourOf = (index: number): Rgb => colours[index] ?? [0, 0, 0]
const grey = (value: number) => [value, value, value, 255]

it('gives each class its colour where it lies; the background and what does not count stay clear', () => {
  const pixels = Uint8ClampedArray.from([...grey(0), ...grey(127), 255, 128, 0, 255, ...grey(255)])
  expect(recolour(pixels, shades, colourOf)).toBe(true)
  expect([...pixels]).toEqual([0, 0, 0, 0, 40, 50, 60, 255, 0, 0, 0, 0, 10, 20, 30, 255])
})

it('refuses a picture with a colour that means nothing', () => {
  expect(recolour(Uint8ClampedArray.from(grey(126)), shades, colourOf)).toBe(false)
})

it('reads colours, also those that a style sheet has shortened', () => {
  expect(rgbOf('#00c8ff')).toEqual([0, 200, 255])
  expect(rgbOf('#fa0')).toEqual([255, 170, 0])
})
