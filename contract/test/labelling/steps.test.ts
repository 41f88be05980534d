import { createHash } from 'node:crypto'
import { fromBase64, toBase64 } from '@neuroloom/contract/labelling/base64'
import { doDeed, marksFrom, noMarks, undoDeed } from '@neuroloom/contract/labelling/marks'
import {
  applyPatch,
  folding,
  mapFrom,
  patchOf,
  runsIn,
  slicesOf,
  takeBack,
  wholePatch,
} from '@neuroloom/contract/labelling/patch'
import {
  countSegments,
  fillRow,
  makePixels,
  type PixelMap,
  readRow,
  segmentAt,
  type Tile,
} from '@neuroloom/contract/labelling/pixels'
import { describe, expect, it } from 'vitest'

/** A stroke that keeps each tile as it was, as the editor does. */
function draw(map: PixelMap, rows: { y: number; z?: number; from: number; to: number; segment: number }[]) {
  const before = new Map<number, Tile>()
  for (const { z = 0, ...row } of rows)
    fillRow(map, { ...row, z }, (tile) => {
      const found = map.tiles.get(tile) ?? 0
      if (!before.has(tile)) before.set(tile, typeof found === 'number' ? found : found.slice())
    })
  return patchOf(map, before)
}

const block = (from: number, to: number, segment: number) =>
  Array.from({ length: to - from }, (_, row) => ({ y: from + row, from, to, segment }))

/** The whole map, to be compared. */
function all(map: PixelMap): string {
  const [width, height, depth] = map.size
  const pixels = new Uint16Array(width * height * depth)
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y++) {
      const start = (z * height + y) * width
      readRow(map, { x: 0, y, z }, pixels.subarray(start, start + width))
    }
  return createHash('sha256').update(pixels).digest('hex')
}

describe('a map of pixels', () => {
  it('holds what was drawn across the edges of tiles and leaves out what lies outside', () => {
    const map = makePixels([600, 300, 2])
    draw(map, [
      { y: 10, from: -5, to: 700, segment: 3 },
      { y: 400, from: 0, to: 9, segment: 3 },
      { y: 299, z: 1, from: 599, to: 600, segment: 65_535 },
    ])
    expect([segmentAt(map, 0, 10, 0), segmentAt(map, 599, 10, 0), segmentAt(map, 600, 10, 0)]).toEqual([
      3, 3, 0,
    ])
    expect(segmentAt(map, 599, 299, 1)).toBe(65_535)
    expect(countSegments(map)).toEqual(
      new Map([
        [3, 600],
        [65_535, 1],
      ]),
    )
  })

  it('keeps a number for a tile that is marked evenly', () => {
    const map = makePixels([512, 256, 1])
    const patch = draw(map, block(0, 256, 7))
    const other = makePixels([512, 256, 1])
    if (patch) applyPatch(other, patch)
    expect([...other.tiles]).toEqual([[0, 7]])
    expect(all(other)).toEqual(all(map))
  })
})

describe('a change of pixels', () => {
  it('is nothing where a stroke drew over its own colour', () => {
    const map = makePixels([100, 100, 1])
    draw(map, block(10, 40, 1))
    expect(draw(map, block(20, 30, 1))).toBeNull()
  })

  it('leads from before to after and back, at random strokes on a map with narrow edges', () => {
    let seed = 5
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const map = makePixels([700, 290, 3])
    const replayed = makePixels([700, 290, 3])
    const patches: Uint8Array[] = []
    const states = [all(map)]
    for (let stroke = 0; stroke < 40; stroke++) {
      const rows = Array.from({ length: 1 + random(60) }, (_, row) => {
        const from = random(700)
        return { y: random(200) + row, z: random(3), from, to: from + random(400), segment: random(4) }
      })
      const patch = draw(map, rows)
      if (!patch) continue
      patches.push(patch)
      states.push(all(map))
      applyPatch(replayed, patch)
      expect(all(replayed)).toEqual(states.at(-1))
    }
    const whole = wholePatch(map)
    expect(all(mapFrom([700, 290, 3], whole))).toEqual(all(map))
    for (let left = patches.length - 1; left >= 0; left--) {
      takeBack(replayed, patches[left] ?? new Uint8Array())
      expect(all(replayed)).toEqual(states[left])
    }
  })

  it('taken back leaves what somebody drew over it since', () => {
    const map = makePixels([64, 64, 1])
    const mine = draw(map, block(0, 20, 1))
    draw(map, block(10, 30, 2))
    if (mine) takeBack(map, mine)
    expect([segmentAt(map, 5, 5, 0), segmentAt(map, 15, 15, 0)]).toEqual([0, 2])
  })

  it.each([
    ['a tile beyond the image', [5, 1, 0, 1, 0, 1]],
    ['a run beyond the tile', [1, 1, 0, 0x81, 0x80, 0x04, 0, 1]],
    ['no run', [1, 0]],
    ['an empty run', [1, 1, 0, 0, 0, 1]],
    ['a segment beyond 65,535', [1, 1, 0, 1, 0, 0x80, 0x80, 0x04]],
    ['a number that does not end', [1, 1, 0, 0x81]],
    ['a number of six bytes', [0x81, 0x81, 0x81, 0x81, 0x81, 1]],
    ['a tile named twice', [1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]],
  ])('is refused for %s', (_, bytes) => {
    expect(() => [...runsIn([300, 300, 1], Uint8Array.from(bytes))]).toThrow(RangeError)
  })
})

describe('bytes as text', () => {
  it('come back as they were, and what is no base64 is refused', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255)
      expect([...fromBase64(toBase64(bytes))]).toEqual([...bytes])
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    }
    for (const wrong of ['abc', 'ab=c', '====', 'ab\u00e9d', 'a==='])
      expect(() => fromBase64(wrong)).toThrow(RangeError)
  })
})

describe('a journal', () => {
  const box = (id: string, x: number) => ({
    id,
    class: 'a',
    place: { axis: 2 as const, slice: 0 },
    shape: { kind: 'box' as const, x, y: 0, width: 5, height: 5, angle: 0 },
    by: 'hand' as const,
    attributes: {},
    track: null,
    isLast: false,
  })

  it('is replayed and taken back, thing by thing', () => {
    const marks = marksFrom([10, 10, 1], noMarks())
    const drawn = { do: 'thing' as const, before: null, after: box('one', 1) }
    const moved = { do: 'thing' as const, before: box('one', 1), after: box('one', 4) }
    const removed = { do: 'thing' as const, before: box('one', 4), after: null }
    doDeed(marks, drawn)
    doDeed(marks, moved)
    expect(marks.things.get('one')?.shape).toMatchObject({ x: 4 })
    doDeed(marks, removed)
    expect(marks.things.size).toBe(0)
    undoDeed(marks, removed)
    undoDeed(marks, moved)
    expect(marks.things.get('one')?.shape).toMatchObject({ x: 1 })
    undoDeed(marks, drawn)
    expect(marks.things.size).toBe(0)
  })

  it('keeps the label that another one gave the image meanwhile', () => {
    const marks = marksFrom([10, 10, 1], noMarks())
    const mine = { do: 'tags' as const, before: [], after: ['ill'] }
    doDeed(marks, mine)
    doDeed(marks, { do: 'tags', before: ['ill'], after: ['ill', 'blurred'] })
    undoDeed(marks, mine)
    expect(marks.tags).toEqual(['blurred'])
  })
})

describe('changes folded into a whole', () => {
  /** To its end, as who has nobody else to answer. */
  function folded(size: PixelMap['size'], patches: Uint8Array[]): Uint8Array | null {
    const steps = folding(size, patches)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  it('are to the byte what the map is that all of them were drawn on', () => {
    const size = [700, 530, 3] as const
    const map = makePixels(size)
    const patches: Uint8Array[] = []
    let state = 7
    const draws = (most: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
      return (state >>> 8) % most
    }
    for (let stroke = 0; stroke < 120; stroke++) {
      const [x, y, z, segment] = [draws(650), draws(500), draws(3), draws(5)]
      const [width, height] = [1 + draws(300), 1 + draws(60)]
      const rows = Array.from({ length: height }, (_, row) => ({
        ...{ y: y + row, z, from: x, to: x + width, segment },
      }))
      const patch = draw(map, rows)
      if (patch) patches.push(patch)
    }
    const whole = folded(size, patches)
    expect(whole).toEqual(wholePatch(map))
    const sliceAt = slicesOf(size, whole ?? new Uint8Array())
    for (const z of [0, 2]) {
      const slice = sliceAt(z)
      for (let y = 0; y < 530; y += 7) {
        const [row, expected] = [new Uint16Array(700), new Uint16Array(700)]
        readRow(slice, { x: 0, y, z }, row)
        readRow(map, { x: 0, y, z }, expected)
        expect(row).toEqual(expected)
      }
    }
    // In any two parts, too.
    const half = folded(size, patches.slice(0, 60))
    expect(folded(size, [...(half ? [half] : []), ...patches.slice(60)])).toEqual(whole)
  })

  it('are nothing where all was taken back, and refused where they leave the image', () => {
    const map = makePixels([300, 300, 1])
    const drawn = draw(map, block(10, 40, 3))
    const erased = draw(map, block(0, 60, 0))
    expect(
      folded(
        [300, 300, 1],
        [drawn, erased].filter((one) => one !== null),
      ),
    ).toBeNull()
    expect(() => folded([20, 20, 1], [Uint8Array.of(9, 1, 0, 1, 0, 1)])).toThrow(RangeError)
  })
})
