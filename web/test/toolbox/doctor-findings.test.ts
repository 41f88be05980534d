import type { Examined } from '@neuroloom/contract/recipes/doctor'
import type { ImageLook, MaskLook } from '@neuroloom/contract/recipes/repair'
import { describe, expect, it } from 'vitest'
import type { Folder } from '../../src/features/recipes/doctor/finding.ts'
import { findingsOf, folderOf } from '../../src/features/recipes/doctor/findings.ts'
import { chosenIn, classesIn, groupsOf, repairsOf } from '../../src/features/recipes/doctor/groups.ts'

const image = (more: Partial<ImageLook> = {}): ImageLook => ({
  ...{ width: 60, height: 40, depth: null, turn: 1, place: null },
  ...more,
})
const values = (...list: string[]) => list.map((value) => ({ value, count: 9 }))
const mask = (more: Partial<MaskLook> = {}): MaskLook => ({
  ...image(),
  ...{ kind: 'numbers', isLossy: false, values: values('0', '1') },
  ...more,
})
const pair = (
  imageLook: ImageLook | null,
  maskLook: MaskLook | null,
  more: Partial<Examined> = {},
): Examined => ({
  ...{ image: { id: 'i', path: 'images/a.png' }, mask: { id: 'm', path: 'masks/a.png' }, by: 'same' },
  ...{ imageLook, maskLook, imageReason: null, maskReason: null },
  ...more,
})
const folder: Folder = { numbers: ['1', '2'], colours: ['#00ff00', '#ff0000'], classes: null }
const volume = { width: 4, height: 5, depth: 6 }
const straight = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0]
/** The same voxels, counted from the other end of the first axis. */
const flipped = [-1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 2, 0]

describe('what does not fit about a pair', () => {
  it.each<[string, ImageLook | null, MaskLook | null, string | null, boolean, string[]]>([
    ['nothing', image(), mask(), null, true, []],
    ['what cannot be read', null, mask(), 'unread', true, ['leave']],
    [
      'a mask on its side',
      image(),
      mask({ width: 40, height: 60 }),
      'turned',
      false,
      ['right', 'left', 'leave'],
    ],
    [
      'a turn that sizes prove',
      image({ turn: 6 }),
      mask({ width: 40, height: 60 }),
      'camera',
      true,
      ['camera', 'leave'],
    ],
    [
      'a turn that sizes do not prove',
      image({ turn: 3 }),
      mask(),
      'camera',
      false,
      ['keep', 'camera', 'leave'],
    ],
    ['a turn that the mask notes too', image({ turn: 6 }), mask({ turn: 6 }), null, true, []],
    ['a pixel more', image(), mask({ width: 61 }), 'size', false, ['cut', 'size', 'leave']],
    ['half the size', image(), mask({ width: 30, height: 20 }), 'scaled', true, ['size', 'leave']],
    ['another shape', image(), mask({ width: 30, height: 30 }), 'size', false, ['size', 'cut', 'leave']],
    ['slices of nobody knows where', image(volume), mask({ ...volume, depth: 7 }), 'depth', true, ['leave']],
    [
      'no position',
      image({ ...volume, place: straight }),
      mask(volume),
      'noPlace',
      true,
      ['place', 'keep', 'leave'],
    ],
    [
      'one position',
      image({ ...volume, place: straight }),
      mask({ ...volume, place: straight }),
      null,
      true,
      [],
    ],
    [
      'another order',
      image({ ...volume, place: straight }),
      mask({ ...volume, place: flipped }),
      'axes',
      true,
      ['grid', 'place', 'leave'],
    ],
    [
      'another place',
      image({ ...volume, place: straight }),
      mask({ ...volume, place: straight.map((one) => one * 2) }),
      'space',
      false,
      ['place', 'grid', 'leave'],
    ],
    ['nothing marked', image(), mask({ values: values('0') }), 'empty', false, ['keep', 'leave']],
    [
      'colours',
      image(),
      mask({ kind: 'colours', values: values('#000000', '#ff0000') }),
      'colours',
      false,
      ['numbers', 'leave'],
    ],
    ['a palette', image(), mask({ kind: 'palette' }), 'palette', true, ['numbers', 'keep']],
    [
      'a blurred edge',
      image(),
      mask({ isLossy: true, values: null }),
      'lossy',
      false,
      ['threshold', 'leave'],
    ],
    ['many values', image(), mask({ values: null }), 'many', false, ['keep', 'leave']],
  ])('%s', (_, own, other, kind, isSure, options) => {
    const found = findingsOf(pair(own, other), folder)
    expect(found.map((one) => one.kind)).toEqual(kind === null ? [] : [kind])
    expect(found[0]?.isSure ?? true).toBe(isSure)
    expect(found[0]?.options.map(({ name }) => name) ?? []).toEqual(options)
  })

  it('asks whether files belong together that only a number says of', () => {
    expect(findingsOf(pair(image(), mask(), { by: 'number' }), folder)).toMatchObject([
      { kind: 'guessed', isSure: false },
    ])
    expect(findingsOf(pair(image(), mask(), { by: 'mark' }), folder)).toMatchObject([
      { kind: 'named', isSure: true },
    ])
  })

  it('takes 255 for the one class where no mask has another, and keeps it where it is said to be one', () => {
    const white = pair(image(), mask({ values: values('0', '255') }))
    expect(findingsOf(white, folderOf([white], null))).toMatchObject([{ kind: 'bright', isSure: true }])
    expect(findingsOf(white, folderOf([white], ['0', '255']))).toEqual([])
    expect(findingsOf(white, folderOf([white, pair(image(), mask())], null))).toEqual([])
  })

  it('numbers colours alike in all masks', () => {
    const red = pair(image(), mask({ kind: 'colours', values: values('#000000', '#ff0000') }))
    const green = pair(image(), mask({ kind: 'colours', values: values('#00ff00') }))
    const [finding] = findingsOf(red, folderOf([red, green], null))
    expect(finding?.options[0]?.repairs).toEqual([
      {
        do: 'values',
        map: [
          { from: '#00ff00', to: 1 },
          { from: '#ff0000', to: 2 },
        ],
      },
    ])
  })
})

it('decides for all files of one kind, in the order in which masks are mended', () => {
  const both = pair(image(), mask({ width: 40, height: 60, values: values('0', '255') }))
  const fine = pair(image(), mask({ values: values('0', '255') }))
  const common = folderOf([both, fine], null)
  const groups = groupsOf([both, fine], common)
  expect(groups.map(({ kind, pairs }) => [kind, pairs.length])).toEqual([
    ['turned', 1],
    ['bright', 2],
  ])
  const [turned] = groups
  if (!turned) throw new Error('no group')
  expect(chosenIn(turned, new Map())).toBeNull()
  const left = { folder: common, groups, choices: new Map([[turned.key, 'left' as const]]) }
  expect(repairsOf(both, left)).toEqual([
    { do: 'turn', quarters: 3, isMirrored: false },
    { do: 'values', map: [{ from: '255', to: 1 }] },
  ])
  const out = { ...left, choices: new Map([[turned.key, 'leave' as const]]) }
  expect([repairsOf(both, out), repairsOf(fine, out)?.length]).toEqual([null, 1])
})

it.each([
  ['', null],
  ['0, 1; 2', ['0', '1', '2']],
  ['01 1', ['1']],
])('reads classes of “%s”', (text, classes) => expect(classesIn(text)).toEqual(classes))
