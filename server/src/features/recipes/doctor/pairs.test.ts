import type { Pairing } from '@neuroloom/contract/recipes/pairings'
import { describe, expect, it } from 'vitest'
import { isMaskFolder, pairUp, placeOf, saysMask } from './pairs.ts'

const files = (paths: readonly string[]) => paths.map((path) => ({ path }))

describe('images and masks belong together', () => {
  it.each<[Pairing, string, string]>([
    ['same', 'images/a.jpg', 'masks/a.png'],
    ['same', 'a.nii.gz', 'labelsTr/a.nii.gz'],
    ['unicode', 'images/re\u0301sum\u00e9.png', 'masks/r\u00e9sume\u0301.png'],
    ['case', 'images/Case_01.PNG', 'masks/case_01.png'],
    ['mark', 'images/a.png', 'masks/a_mask.png'],
    ['mark', 'images/knee 7.png', 'masks/mask_knee 7.png'],
    ['mark', 'imagesTr/liver_12_0000.nii.gz', 'labelsTr/liver_12.nii.gz'],
    ['mark', 'images/a.png', 'masks/A-Segmentation.tif'],
    ['folder', 'case 3/scan.nii', 'case 3/masks/outline.nii'],
    ['number', 'images/img_007.png', 'masks/lesion7.png'],
  ])('by %s: %s and %s', (by, image, mask) => {
    const { pairs } = pairUp(files([image]), files([mask]))
    expect(pairs).toEqual([{ image: { path: image }, mask: { path: mask }, by }])
  })

  it('takes the same place before any place, and no name that stands twice', () => {
    const images = files(['1/images/a.png', '2/images/a.png', 'images/b.png', 'images/B.png'])
    const masks = files(['1/masks/a.png', '2/masks/a.png', 'masks/b_mask.png'])
    const { pairs, ...left } = pairUp(images, masks)
    expect(pairs.map(({ image, mask }) => [image.path, mask.path])).toEqual([
      ['1/images/a.png', '1/masks/a.png'],
      ['2/images/a.png', '2/masks/a.png'],
    ])
    expect(left).toEqual({
      images: files(['images/b.png', 'images/B.png']),
      masks: files(['masks/b_mask.png']),
    })
  })

  it('does not take numbers for the same where several have one', () => {
    const { pairs } = pairUp(
      files(['images/a1.png', 'images/b1.png']),
      files(['masks/c1.png', 'masks/d2.png']),
    )
    expect(pairs).toEqual([])
  })

  it.each([
    ['a_mask.png', true],
    ['mask.png', false],
    ['unmasked.png', false],
    ['seg-a.nii.gz', true],
  ])('%s says that it is a mask: %s', (path, says) => expect(saysMask(path)).toBe(says))

  it.each([
    ['study/masks', true],
    ['labelsTr', true],
    ['annotation (1)', true],
    ['images', false],
    ['unmasked', false],
  ])('the folder %s holds masks: %s', (path, does) => expect(isMaskFolder(path)).toBe(does))

  it('keeps the folders that say more than what the files are', () =>
    expect(placeOf('knee/left/images/a.png')).toEqual(['knee', 'left']))
})
