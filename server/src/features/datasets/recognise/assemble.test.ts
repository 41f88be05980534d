import type { FileFacts } from '@neuroloom/contract/engine'
import { describe, expect, it } from 'vitest'
import { assemble } from './assemble.ts'
import { recognise } from './recognise.ts'
import type { Checked } from './shapes.ts'

const facts = (over: Partial<FileFacts> = {}): FileFacts => ({
  format: 'png',
  width: 10,
  height: 10,
  ...{ depth: null, spacing: null, orientation: null },
  channels: 1,
  bits: 8,
  mean: 0.5,
  std: 0.1,
  values: null,
  ...over,
})
const binary = facts({ values: { '0': 90, '255': 10 } })

/** Every file is fine except those named. */
async function assembled(
  paths: string[],
  {
    usual = facts(),
    odd = {},
    copies = {},
  }: { usual?: FileFacts; odd?: Record<string, Checked>; copies?: Record<string, string> },
) {
  const folder = { paths, emptyFolders: [], read: async () => null }
  const layout = await recognise(folder, /mask/.test(paths.join()) ? 'segmentation' : 'classification')
  if (layout.layout === null) throw new Error(layout.failure)
  return assemble(layout, {
    sha256: (path) => copies[path] ?? path,
    check: (path) => odd[path] ?? { facts: /mask/.test(path) ? binary : usual, reason: null },
  })
}

describe('class folders', () => {
  it('counts the items of each class and spans their sizes', async () => {
    const found = await assembled(['a/1.png', 'a/2.png', 'b/1.png'], {
      odd: { 'b/1.png': { facts: facts({ width: 40, height: 20, channels: 3 }), reason: null } },
    })
    expect(found.failure).toBeNull()
    expect(found.channels).toBe(3)
    expect(found.facts).toEqual({
      items: 3,
      width: { min: 10, median: 10, max: 40 },
      height: { min: 10, median: 10, max: 20 },
      channels: 3,
      classCounts: [2, 1],
      ...{ depth: null, spacing: null, factor: null, boxSide: null, given: null, patients: null },
    })
  })

  it('counts pictures of decimal numbers, whose brightness is scaled one by one', async () => {
    const found = await assembled(['a/1.tif', 'a/2.png', 'b/1.tif'], {
      odd: Object.fromEntries(
        ['a/1.tif', 'b/1.tif'].map((path) => [
          path,
          { facts: facts({ format: 'tiff', bits: 32 }), reason: null },
        ]),
      ),
    })
    expect(found.facts?.stretched).toBe(2)
  })

  it('sets broken files aside with their reason', async () => {
    const found = await assembled(['a/1.png', 'a/2.png', 'b/1.png'], {
      odd: { 'a/2.png': { facts: null, reason: 'truncated' } },
    })
    expect(found.items.map(({ name }) => name)).toEqual(['a/1.png', 'b/1.png'])
    expect(found.problems).toEqual([{ path: 'a/2.png', reason: 'truncated', params: {} }])
  })

  it('leaves out a class without a usable image and moves the others up', async () => {
    const found = await assembled(['a/1.png', 'b/1.png', 'c/1.png'], {
      odd: { 'a/1.png': { facts: null, reason: 'empty' } },
    })
    expect(found.classes).toEqual(['b', 'c'])
    expect(found.items.map((item) => item.class)).toEqual([0, 1])
    expect(found.problems.map(({ path, reason }) => [path, reason])).toEqual([
      ['a/1.png', 'empty'],
      ['a', 'class_empty'],
    ])
  })

  it('sets the same picture in two classes aside, and keeps it twice in one', async () => {
    const found = await assembled(['a/1.png', 'a/2.png', 'a/3.png', 'b/1.png', 'b/2.png'], {
      copies: { 'a/1.png': 'x', 'b/1.png': 'x', 'a/2.png': 'y', 'a/3.png': 'y' },
    })
    expect(found.items.map(({ name }) => name)).toEqual(['a/2.png', 'a/3.png', 'b/2.png'])
    expect(found.problems).toEqual([
      { path: 'a/1.png', reason: 'duplicate_other_class', params: { other: 'b/1.png' } },
      { path: 'b/1.png', reason: 'duplicate_other_class', params: { other: 'a/1.png' } },
    ])
  })

  it.each([
    ['single_class', ['b/1.png']],
    ['no_images', ['a/1.png', 'b/1.png']],
  ])('fails as %s when too little is usable', async (failure, broken) => {
    const odd = Object.fromEntries(
      broken.map((path) => [path, { facts: null, reason: 'not_an_image' } as const]),
    )
    expect((await assembled(['a/1.png', 'b/1.png'], { odd })).failure).toBe(failure)
  })
})

describe('images with masks', () => {
  const paths = ['images/1.png', 'images/2.png', 'masks/1.png', 'masks/2.png']

  it('counts the pixels of each class', async () => {
    const found = await assembled(paths, {})
    expect(found.failure).toBeNull()
    expect(found.classes).toEqual(['background', 'foreground'])
    expect(found.facts?.classCounts).toEqual([180, 20])
    expect(found.items[0]).toMatchObject({ image: 'images/1.png', label: 'masks/1.png', class: null })
  })

  it('names the broken half of a pair only', async () => {
    const found = await assembled(paths, { odd: { 'images/1.png': { facts: null, reason: 'too_large' } } })
    expect(found.items).toHaveLength(1)
    expect(found.problems).toEqual([{ path: 'images/1.png', reason: 'too_large', params: {} }])
  })

  it('names a mask of another size with both sizes', async () => {
    const odd = { 'masks/2.png': { facts: facts({ width: 12, values: { '0': 1 } }), reason: null } } as const
    expect((await assembled(paths, { odd })).problems).toEqual([
      {
        path: 'masks/2.png',
        reason: 'size_differs',
        params: { width: 10, height: 10, maskWidth: 12, maskHeight: 10 },
      },
    ])
  })

  it('fails when every mask is black, and when no pair is usable', async () => {
    const black = { facts: facts({ values: { '0': 100 } }), reason: null } as const
    const blackMasks = { 'masks/1.png': black, 'masks/2.png': black }
    expect((await assembled(paths, { odd: blackMasks })).failure).toBe('single_class')
    const broken = { facts: null, reason: 'mask_colour' } as const
    expect((await assembled(paths, { odd: { 'masks/1.png': broken, 'masks/2.png': broken } })).failure).toBe(
      'nothing_matches',
    )
  })
})

it('says of boxes of pictures that are turned that nothing tells when they were drawn', async () => {
  const list = {
    images: [{ id: 1, file_name: '1.png', width: 20, height: 10 }],
    annotations: [{ image_id: 1, category_id: 1, bbox: [1, 1, 5, 5] }],
    categories: [{ id: 1, name: 'cell' }],
  }
  const turnedBoxes = async (text: Record<string, string>, turn: number) => {
    const paths = ['images/1.png', ...Object.keys(text)]
    const folder = { paths, emptyFolders: [], read: async (path: string) => text[path] ?? null }
    const layout = await recognise(folder, 'detection')
    if (layout.layout === null) throw new Error(layout.failure)
    const check = () => ({ facts: facts({ turn, width: 20 }), reason: null })
    return assemble(layout, { sha256: (path) => path, check }).facts?.turnedBoxes
  }
  const shares = { 'labels/1.txt': '0 0.5 0.5 0.2 0.2' }
  expect(await Promise.all([1, 3, 6].map((turn) => turnedBoxes(shares, turn)))).toEqual([undefined, 1, 1])
  // A size that is told is that of the picture as it was when it was turned to its side, or not yet.
  const listed = { 'list.json': JSON.stringify(list) }
  expect(await Promise.all([3, 6].map((turn) => turnedBoxes(listed, turn)))).toEqual([1, undefined])
})
