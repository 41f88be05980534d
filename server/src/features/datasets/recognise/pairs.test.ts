import type { FileFacts } from '@neuroloom/contract/engine'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { assemble } from './assemble.ts'
import { withLabelNames } from './label-names.ts'
import { withOrigins } from './origins.ts'
import { recognise } from './recognise.ts'

const facts = (over: Partial<FileFacts> = {}): FileFacts => ({
  ...{ format: 'png', width: 10, height: 8, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
  ...over,
})
const volume = (over: Partial<FileFacts> = {}): FileFacts =>
  facts({ format: 'nifti', depth: 6, spacing: [2.5, 1, 1], orientation: 'IAR', ...over })

async function made(task: Task, files: Record<string, FileFacts>, texts: Record<string, string> = {}) {
  const paths = [...Object.keys(files), ...Object.keys(texts)]
  const folder = { paths, emptyFolders: [], read: async (path: string) => texts[path] ?? null }
  const layout = await recognise(folder, task)
  if (layout.layout === null) throw new Error(layout.failure)
  const check = (path: string) => ({ facts: files[path] ?? facts(), reason: null })
  const assembled = assemble(layout, { sha256: (path) => path, check })
  const found = await withOrigins(await withLabelNames(assembled, folder), folder)
  return {
    ...found,
    layout: layout.layout,
    said: found.problems.map((one) => [one.path, one.reason, one.params]),
  }
}
const names = ({ items }: { items: { image: string; label: string | null }[] }) =>
  items.map(({ image, label }) => [image, label])

describe('volumes with masks', () => {
  const mask = (over: Partial<FileFacts> = {}) => volume({ values: { '0': 400, '1': 60, '2': 20 }, ...over })

  it.each([
    ['same names', 'images/a.nii.gz', 'labels/a.nii.gz'],
    ['packed and not', 'images/a.nii', 'labels/a.nii.gz'],
    ['names of the Decathlon', 'imagesTr/case_1.nii.gz', 'labelsTr/case_1.nii.gz'],
    ['the number of the channel', 'imagesTr/case_1_0000.nii.gz', 'labelsTr/case_1.nii.gz'],
    ['an ending', 'sub-1_T1.nii.gz', 'sub-1_T1_seg.nii.gz'],
  ])('pair by %s', async (_, image, label) => {
    const found = await made('volume_segmentation', { [image]: volume(), [label]: mask() })
    expect(found).toMatchObject({
      layout: 'volume_pairs',
      classes: ['background', 'class 1', 'class 2'],
      maskValues: { '0': 0, '1': 1, '2': 2 },
      facts: { depth: { min: 6, median: 6, max: 6 }, spacing: [2.5, 1, 1], classCounts: [400, 60, 20] },
      items: [{ image, label, depth: 6, width: 10, height: 8 }],
    })
  })

  it('pair as the training list of a dataset.json says, which is told what it lacks', async () => {
    const training = [
      { image: './imagesTr/scan_9.nii.gz', label: './labelsTr/truth_9.nii.gz' },
      { image: './imagesTr/scan_9.nii.gz', label: './labelsTr/gone.nii.gz' },
      { image: 'imagesTr/gone.nii.gz', label: 'labelsTr/b.nii.gz' },
    ]
    const labels = { 0: 'background', 1: 'Anterior', 2: 'Posterior' }
    const files = {
      'Task/imagesTr/scan_9.nii.gz': volume(),
      'Task/labelsTr/truth_9.nii.gz': mask(),
      'Task/labelsTr/b.nii.gz': mask(),
      'Task/imagesTs/a.nii.gz': volume(),
    }
    const list = { 'Task/dataset.json': JSON.stringify({ labels, training }) }
    const found = await made('volume_segmentation', files, list)
    expect(names(found)).toEqual([['Task/imagesTr/scan_9.nii.gz', 'Task/labelsTr/truth_9.nii.gz']])
    expect(found.classes).toEqual(['background', 'Anterior', 'Posterior'])
    expect(found.said).toEqual([
      ['Task/dataset.json', 'image_missing', { name: 'Task/imagesTr/gone.nii.gz', line: 0 }],
      ['Task/imagesTs/a.nii.gz', 'image_without_mask', {}],
    ])
  })

  it.each([
    ['lists nothing that is there', '{"training": [{"image": "./x.nii.gz", "label": "./y.nii.gz"}]}'],
    ['lists no pairs', '{"training": ["a.nii.gz"]}'],
    ['is broken', '{"training": ['],
  ])('pair by their names where the dataset.json %s', async (_, text) => {
    const files = { 'imagesTr/a.nii.gz': volume(), 'labelsTr/a.nii.gz': mask() }
    const found = await made('volume_segmentation', files, { 'dataset.json': text })
    expect(names(found)).toEqual([['imagesTr/a.nii.gz', 'labelsTr/a.nii.gz']])
  })

  it.each([
    ['the Decathlon', '{"labels": {"0": "background", "1": "Anterior", "2": "Posterior"}}'],
    ['nnU-Net', '{"labels": {"background": 0, "Anterior": 1, "Posterior": 2}}'],
  ])('are called what the dataset.json of %s calls them', async (_, text) => {
    const files = { 'Task/imagesTr/a.nii.gz': volume(), 'Task/labelsTr/a.nii.gz': mask() }
    const found = await made('volume_segmentation', files, { 'Task/dataset.json': text })
    expect(found.classes).toEqual(['background', 'Anterior', 'Posterior'])
  })

  it.each([
    ['names too few', '{"labels": {"0": "background", "1": "Anterior"}}'],
    ['names two alike', '{"labels": {"0": "background", "1": "a", "2": "a"}}'],
    ['is broken', '{"labels": {'],
    ['holds regions', '{"labels": {"whole": [1, 2], "part": 2}}'],
  ])('keep their numbers where the dataset.json %s', async (_, text) => {
    const files = { 'imagesTr/a.nii.gz': volume(), 'labelsTr/a.nii.gz': mask() }
    const found = await made('volume_segmentation', files, { 'dataset.json': text })
    expect(found.classes).toEqual(['background', 'class 1', 'class 2'])
  })

  it('must be equal in size, spacing and direction; both values are told', async () => {
    const found = await made('volume_segmentation', {
      'images/a.nii.gz': volume(),
      'labels/a.nii.gz': mask({ spacing: [2.5001, 1, 1] }),
      'images/b.nii.gz': volume(),
      'labels/b.nii.gz': mask({ depth: 5 }),
      'images/c.nii.gz': volume(),
      'labels/c.nii.gz': mask({ spacing: [3, 1, 1] }),
      'images/d.nii.gz': volume(),
      'labels/d.nii.gz': mask({ orientation: 'SAR' }),
      'images/e.nii.gz': volume(),
      'labels/f.nii.gz': mask(),
    })
    expect(found.items.map(({ name }) => name)).toEqual(['images/a.nii.gz'])
    expect(found.said).toEqual([
      ['images/e.nii.gz', 'image_without_mask', {}],
      ['labels/f.nii.gz', 'mask_without_image', {}],
      [
        'labels/b.nii.gz',
        'size_differs',
        { width: 10, height: 8, depth: 6, maskWidth: 10, maskHeight: 8, maskDepth: 5 },
      ],
      ['labels/c.nii.gz', 'spacing_differs', { spacing: '2.5 × 1 × 1', maskSpacing: '3 × 1 × 1' }],
      ['labels/d.nii.gz', 'orientation_differs', { orientation: 'IAR', maskOrientation: 'SAR' }],
    ])
  })
})

describe('small and large images', () => {
  it.each([
    ['images/a.png', 'labels/a.png'],
    ['LR/a.png', 'HR/a.png'],
    ['low_res/a.png', 'high-res/a.png'],
    ['input/ax2.png', 'target/a.png'],
    ['small/a.png', 'gt/a.png'],
    ['a_LR.png', 'a_HR.png'],
    ['train_low/a.png', 'train_high/a.png'],
    ['低分辨率/a.png', '高分辨率/a.png'],
  ])('pair as %s and %s', async (image, label) => {
    const found = await made('super_resolution', {
      [image]: facts(),
      [label]: facts({ width: 30, height: 24 }),
    })
    expect(names(found)).toEqual([[image, label]])
    expect(found).toMatchObject({
      factor: 3,
      classes: [],
      facts: { factor: 3, width: { min: 10 }, classCounts: [] },
    })
  })

  it('have one factor, that of the most pairs', async () => {
    const found = await made('super_resolution', {
      'low/1.png': facts(),
      'high/1.png': facts({ width: 20, height: 16, channels: 3 }),
      'low/2.png': facts(),
      'high/2.png': facts({ width: 20, height: 16 }),
      'low/3.png': facts(),
      'high/3.png': facts({ width: 40, height: 32 }),
      'low/4.png': facts(),
      'high/4.png': facts({ width: 20, height: 15 }),
      'low/5.png': facts(),
      'high/6.png': facts(),
    })
    expect(found.items).toHaveLength(2)
    expect(found).toMatchObject({ factor: 2, channels: 3, failure: null })
    const sizes = { width: 10, height: 8 }
    expect(found.said).toEqual([
      ['low/5.png', 'label_missing', {}],
      ['high/6.png', 'image_missing', { name: 'high/6.png', line: 0 }],
      ['high/3.png', 'factor_differs', { ...sizes, maskWidth: 40, maskHeight: 32, factor: 2 }],
      ['high/4.png', 'factor_differs', { ...sizes, maskWidth: 20, maskHeight: 15, factor: 2 }],
    ])
  })

  it('fail where no pair is larger by a whole number', async () => {
    const found = await made('super_resolution', { 'images/1.png': facts(), 'labels/1.png': facts() })
    expect(found).toMatchObject({ failure: 'nothing_matches', problems: [{ reason: 'factor_differs' }] })
  })
})

describe('noisy and clean images', () => {
  it.each([
    ['noisy/a.png', 'clean/a.png'],
    ['low dose/a.png', 'full dose/a.png'],
    ['images/a.png', 'labels/a.png'],
    ['a_noisy.png', 'a_clean.png'],
    ['шумные/a.png', 'чистые/a.png'],
  ])('pair as %s and %s', async (image, label) => {
    const found = await made('denoising', { [image]: facts(), [label]: facts({ channels: 3 }) })
    expect(names(found)).toEqual([[image, label]])
    expect(found).toMatchObject({ factor: null, channels: 3, classes: [], failure: null })
  })

  it('must be of the same size', async () => {
    const found = await made('denoising', { 'noisy/1.png': facts(), 'clean/1.png': facts({ width: 11 }) })
    expect(found.said).toEqual([
      ['clean/1.png', 'size_differs', { width: 10, height: 8, maskWidth: 11, maskHeight: 8 }],
    ])
  })
})

describe('parts of folders', () => {
  const pair = (image: string, label: string) => ({ [image]: facts(), [label]: facts() })

  it.each([
    ['outside', 'train/noisy/1.png', 'train/clean/1.png', 'test/noisy/2.png', 'test/clean/2.png'],
    ['inside', 'noisy/Training/1.png', 'clean/Training/1.png', 'noisy/test/2.png', 'clean/test/2.png'],
    ['in names', 'train_noisy/1.png', 'train_clean/1.png', 'test_noisy/2.png', 'test_clean/2.png'],
  ])('are taken when they stand %s', async (_, one, itsLabel, two, otherLabel) => {
    const found = await made('denoising', { ...pair(one, itsLabel), ...pair(two, otherLabel) })
    const parts = Object.fromEntries(found.items.map(({ image, part }) => [image, part]))
    expect(parts).toEqual({ [one]: 'train', [two]: 'test' })
    expect(found.facts?.given).toEqual({ train: 1, validation: 0, test: 1 })
  })

  it('say nothing where all are of one part', async () => {
    const found = await made('denoising', pair('train/noisy/1.png', 'train/clean/1.png'))
    expect(found.facts?.given).toBeNull()
  })
})

describe('nested folders of super-resolution', () => {
  it('pair as DIV2K lies: the way and the scale of making are no part of the name', async () => {
    const small = 'set/DIV2K_train_LR_bicubic/X2/0001x2.png'
    const large = 'set/DIV2K_train_HR/0001.png'
    const found = await made('super_resolution', {
      [small]: facts(),
      [large]: facts({ width: 20, height: 16 }),
      'set/DIV2K_train_LR_bicubic/X2/0002x2.png': facts(),
      'set/DIV2K_train_HR/0002.png': facts({ width: 20, height: 16 }),
    })
    expect(found).toMatchObject({ layout: 'resolution_pairs', factor: 2, said: [] })
    expect(names(found)[0]).toEqual([small, large])
  })

  it('refuse float files, each of which would be scaled by its own range', async () => {
    const found = await made('super_resolution', {
      'low/a.tif': facts({ bits: 32 }),
      'high/a.tif': facts({ bits: 32, width: 20, height: 16 }),
      'low/b.tif': facts(),
      'high/b.tif': facts({ width: 20, height: 16 }),
    })
    expect(found.said).toEqual([['low/a.tif', 'unsupported_mode', {}]])
    expect(found.items).toHaveLength(1)
  })
})
