/** Images that are moved together: who tells whom, and how their slices are matched. */
import { expect, it } from 'vitest'
import {
  isOfSameScale,
  type Matched,
  makeLink,
  type Told,
} from '../../src/features/files/viewer/beside/view-link.ts'
import { differenceOf } from '../../src/features/files/viewer/overlay/difference.ts'

it('what one image shows is told to the others, as long as they are linked', () => {
  let isOn = true
  const link = makeLink(
    () => isOn,
    () => undefined,
  )
  const [one, other] = [{}, {}]
  const heard: [string, Told][] = []
  link.hear(one, (told) => heard.push(['one', told]))
  const leave = link.hear(other, (told) => heard.push(['other', told]))
  link.tell(one, { frame: 3 })
  isOn = false
  link.tell(one, { frame: 4 })
  isOn = true
  leave()
  link.tell(one, { frame: 5 })
  expect(heard).toEqual([['other', { frame: 3 }]])
})

it('slices are matched by place where all images have one, else by number; a single slice by neither', () => {
  const matched: (Matched | null)[] = []
  const link = makeLink(
    () => true,
    (now) => matched.push(now),
  )
  link.join({}, true)
  link.join({}, true)
  const leave = link.join({}, false)
  leave()
  link.join({}, null)
  expect(matched).toEqual([null, 'millimetres', 'number', 'millimetres', 'millimetres'])
})

it('a difference tells what was missed, what was too much, and what is of another class', () => {
  const label = (name: string) => ({ key: name, colour: null, name, count: 1 })
  const truth = {
    bytes: Uint8Array.of(0, 1, 1, 2, 3),
    labels: [label('cell'), label('nerve'), label('ground')],
    nothing: [3],
  }
  // The same classes under other numbers.
  const prediction = {
    bytes: Uint8Array.of(2, 2, 0, 2, 0),
    labels: [label('nerve'), label('cell')],
    nothing: [],
  }
  const found = differenceOf(truth, prediction)
  expect([...(found?.bytes ?? [])]).toEqual([2, 0, 1, 3, 0])
  expect(found?.labels.map(({ key, count }) => [key, count])).toEqual([['missed', 1], ['extra', 1], ['other', 1]]) // biome-ignore format: pairs
  expect(differenceOf(truth, { ...prediction, bytes: new Uint8Array(3) })).toBeNull()
})

it('a window is taken over by images of the same scale alone', () => {
  const ends: [number, number] = [0, 80]
  expect(isOfSameScale(4000, { ends, span: 3000 })).toBe(true)
  expect(isOfSameScale(2, { ends, span: 3000 })).toBe(false)
  expect(isOfSameScale(0, { ends, span: 3000 })).toBe(false)
})
