import { expect, it } from 'vitest'
import { beginningOf, isLikely } from './partners.ts'

it.each([
  ['case_7.nii.gz', 'case_7_mask.nii.gz', true],
  ['case_7.nii.gz', 'case_7_liver_mask.nii.gz', true],
  ['case_7.nii.gz', 'case_70_mask.nii.gz', false],
  ['case_7.nii.gz', 'case_7_t2.nii.gz', false],
  ['case_7_0000.nii.gz', 'case_7_seg.nii.gz', true],
  ['image12.png', 'label12.png', false],
  ['image_12.png', 'label_12.png', true],
  ['case_7.nii.gz', 'case_7_pred.nii.gz', true],
  ['img.png', 'mask.png', false],
  ['снимок_3.png', 'маска_3.png', true],
  ['影像_3.png', '掩膜_3.png', true],
])('beside each other %s and %s belong together: %s', (image, mask, expected) => {
  expect(isLikely({ name: image, folder: 'data' }, { name: mask, folder: 'data' })).toBe(expected)
})

it.each([
  ['hippocampus_003.nii.gz', 'labels', 'hippocampus_003.nii.gz', true],
  ['hippocampus_003.nii.gz', 'labels', 'hippocampus_004.nii.gz', false],
  ['hippocampus_003.nii.gz', 'raw', 'hippocampus_003.nii.gz', false],
  ['BRATS_1_0000.nii.gz', 'labelsTr', 'BRATS_1.nii.gz', true],
  ['3.jpg', 'masks', '3.png', true],
  ['3.jpg', 'Predictions 2', '3.png', true],
])('%s and the one in %s called %s belong together: %s', (image, folder, mask, expected) => {
  expect(isLikely({ name: image, folder: 'images' }, { name: mask, folder })).toBe(expected)
})

it('masks are looked for by how the image’s name begins', () => {
  expect(beginningOf('BRATS_1_0000.nii.gz')).toBe('brats')
  expect(beginningOf('image_12.png')).toBe('12')
  expect(beginningOf('image.png')).toBe('')
})
