import { expect, it } from 'vitest'
import { shadesOf } from './mask-shades.ts'

const plain = { depth: null, palette: null }
const classes = { '0': 0, '1': 1, '2': 2, '5': 3, '255': -1 }

it('greys are evenly spaced over the values of the one mask, whatever the others hold', () => {
  expect(shadesOf(classes, { ...plain, values: { '0': 90, '2': 5, '5': 5 } })).toEqual([
    { shade: '#000000', class: 0 },
    { shade: '#7f7f7f', class: 2 },
    { shade: '#ffffff', class: 3 },
  ])
  expect(shadesOf(classes, { ...plain, values: { '5': 100 } })).toEqual([{ shade: '#000000', class: 3 }])
  expect(shadesOf(classes, { ...plain, values: { '0': 1, '1': 1, '2': 1, '255': 1 } })).toEqual([
    { shade: '#000000', class: 0 },
    { shade: '#555555', class: 1 },
    { shade: '#aaaaaa', class: 2 },
    { shade: '#ffffff', class: -1 },
  ])
})

it('colours stay as they are; numbers of a palette count by their colours where the set does', () => {
  const byColour = { '#000000': 0, '#ff0000': 1, '#00ff00': 2 }
  expect(shadesOf(byColour, { ...plain, values: { '#000000': 9, '#00ff00': 1 } })).toEqual([
    { shade: '#000000', class: 0 },
    { shade: '#00ff00', class: 2 },
  ])
  const palette = { '0': '#000000', '1': '#00ff00', '2': '#ff0000' }
  expect(shadesOf(byColour, { depth: null, palette, values: { '0': 9, '1': 1, '2': 1 } })).toEqual([
    { shade: '#000000', class: 0 },
    { shade: '#7f7f7f', class: 2 },
    { shade: '#ffffff', class: 1 },
  ])
})

it('says nothing where the picture does not tell the values', () => {
  const values = { '0': 9, '1': 1 }
  expect(shadesOf(classes, null)).toBeNull()
  expect(shadesOf(classes, { ...plain, values: null })).toBeNull()
  expect(shadesOf(classes, { ...plain, depth: 12, values })).toBeNull()
  expect(shadesOf(classes, { ...plain, smeared: true, values })).toBeNull()
  expect(shadesOf(classes, { ...plain, things: 300, values })).toBeNull()
  expect(shadesOf(classes, { ...plain, things: 1, values })).toHaveLength(2)
  expect(shadesOf(classes, { ...plain, values: { '0': 9, '77': 1 } })).toBeNull()
})
