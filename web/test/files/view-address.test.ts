/** The address of a view: what it holds, what it never holds, and what is made of broken ones. */
import { imageViews } from '@neuroloom/contract/image-view'
import { describe, expect, it } from 'vitest'
import { nextOf, ratesOf } from '../../src/features/files/viewer/cine.ts'
import {
  type ImageView,
  plainView,
  textOfView,
  viewOfText,
} from '../../src/features/files/viewer/view-address.ts'

const view: ImageView = {
  isSeries: true,
  plane: 'coronal',
  voxel: [12, 30, 7],
  frame: 3,
  window: [-160, 240],
  pan: [1.5, -2, 0, 2.25],
  kind: 'angle',
  overlays: [{ id: 'file_1-a', isFilled: true, opacity: 0.5, hidden: [2, 7] }],
  marks: [
    {
      ...{ number: 1, kind: 'distance', name: '', plane: 'coronal', slice: 30, frame: 3 },
      points: [
        [1.5, 2],
        [10.12, 20.2],
      ],
    },
  ],
}

describe('the address of a view', () => {
  it('leads back to the same', () => {
    const { text, isCut } = textOfView(view)
    expect(isCut).toBe(false)
    expect(text).toMatch(/^1\.[\w-]+$/)
    expect(viewOfText(text)).toEqual(view)
    expect(viewOfText(textOfView(plainView).text)).toEqual(plainView)
    expect(textOfView(plainView).text.length).toBeLessThan(10)
  })

  it('holds no name that somebody gave a measurement', () => {
    const named = { ...view, marks: view.marks.map((mark) => ({ ...mark, name: 'Li Wei, 1956' })) }
    expect(textOfView(named)).toEqual(textOfView(view))
  })

  it('leaves measurements out where there are too many of them', () => {
    const points = Array.from({ length: 60 }, (_, at) => [at * 3.7, at * 5.1] as const)
    const [first] = view.marks
    if (!first) throw new Error('no mark')
    const many = Array.from({ length: 20 }, (_, at) => ({
      ...{ ...first, kind: 'polygon' as const, number: at + 1 },
      points,
    }))
    const { text, isCut } = textOfView({ ...view, marks: many })
    expect(isCut).toBe(true)
    expect(text.length).toBeLessThanOrEqual(imageViews.length)
    expect(viewOfText(text)).toMatchObject({ marks: [], voxel: [12, 30, 7] })
  })

  const wire = (content: unknown) => `1.${btoa(JSON.stringify(content))}`
  it.each([
    ['nothing', null],
    ['another version', '2.e30'],
    ['no base 64', '1.%%%'],
    ['no JSON', `1.${btoa('{')}`],
    ['an unknown plane', wire({ p: 'oblique' })],
    ['a distance of one point', wire({ m: [['distance', 'axial', 0, 0, 1, 2]] })],
    ['half a point', wire({ m: [['polygon', 'axial', 0, 0, 1, 2, 3, 4, 5, 6, 7]] })],
    ['a slice below nothing', wire({ m: [['point', 'axial', -1, 0, 1, 2]] })],
    ['endless zoom', wire({ z: [0, 0, 0, 1e300] })],
    ['a file that is an address', wire({ o: [{ id: '../../x', isFilled: true, opacity: 1, hidden: [] }] })],
    ['too long a text', `1.${'A'.repeat(imageViews.length)}`],
  ])('with %s shows the image as it is', (_, text) => {
    expect(viewOfText(text)).toBeNull()
  })
})

describe('a film', () => {
  const play = (steps: number, way: 'round' | 'back') => {
    const seen = [0]
    let reel = { index: 0, isForth: true }
    for (let step = 0; step < steps; step += 1) {
      reel = nextOf(reel, 3, way)
      seen.push(reel.index)
    }
    return seen
  }

  it('begins anew after the last picture, or goes back', () => {
    expect(play(5, 'round')).toEqual([0, 1, 2, 0, 1, 2])
    expect(play(6, 'back')).toEqual([0, 1, 2, 1, 0, 1, 2])
    expect(nextOf({ index: 0, isForth: true }, 1, 'back').index).toBe(0)
  })

  it('runs as fast as the file says, if that is a film at all', () => {
    expect(ratesOf(0.04)).toMatchObject({ first: 25 })
    expect(ratesOf(0.03)).toMatchObject({ first: 33.3 })
    expect(ratesOf(0.03).rates).toContain(33.3)
    expect(ratesOf(null).first).toBe(10)
    expect(ratesOf(30).first).toBe(10)
  })
})
