import { expect, it } from 'vitest'
import { orderedJson } from '../../src/features/files/viewer/ordered-json.ts'

it.each([
  ['{"a":[1,{"b":"x, [y]"}]}', '{\n  "a": [\n    1,\n    {\n      "b": "x, [y]"\n    }\n  ]\n}'],
  ['{"a":"\\\\","b":"\\"[[["}', '{\n  "a": "\\\\",\n  "b": "\\"[[["\n}'],
  ['[]', '[]'],
  ['{"broken":', '{"broken":'],
])('%s is set in order', (text, ordered) => {
  expect(orderedJson(text)).toBe(ordered)
})

it.each([
  ['lists in lists', `${'['.repeat(1000)}${'1,'.repeat(5000)}1${']'.repeat(1000)}`],
  ['objects in objects', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`],
  ['more than can be read at all', '['.repeat(200_000)],
])('%s are shown as they are, not a thousand times as long', (_, text) => {
  expect(orderedJson(text)).toBe(text)
})

it('a large file of ordinary depth is set in order', () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, bbox: [1, 2, 3, 4] }))
  expect(orderedJson(JSON.stringify({ annotations: rows }))).toBe(
    JSON.stringify({ annotations: rows }, null, 2),
  )
})
