import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { recognise } from './recognise.ts'

const named = (paths: string[], task: Task | null, emptyFolders: string[] = []) =>
  recognise({ paths, emptyFolders, read: async () => null }, task)
const classes = async (paths: string[], emptyFolders: string[] = []) => {
  const found = await named(paths, 'classification', emptyFolders)
  if (found.layout !== 'class_folders') throw new Error(`not class folders: ${JSON.stringify(found)}`)
  return found
}
const masks = async (paths: string[]) => {
  const found = await named(paths, 'segmentation')
  if (found.layout !== 'images_masks') throw new Error(`not images and masks: ${JSON.stringify(found)}`)
  return found
}

describe('class folders', () => {
  it('takes each folder of images as a class and ignores other files', async () => {
    const found = await classes([
      'README.md',
      'split.csv',
      'cat/1.png',
      'cat/2.PNG',
      'dog/1.jpeg',
      'dog/notes.txt',
    ])
    expect(found.classes).toEqual(['cat', 'dog'])
    expect(found.items).toEqual([
      { path: 'cat/1.png', class: 0 },
      { path: 'cat/2.PNG', class: 0 },
      { path: 'dog/1.jpeg', class: 1 },
    ])
    expect(found.stray).toEqual([])
  })

  it.each([
    ['below a wrapper', ['data/a/1.png', 'data/b/1.png'], ['a', 'b']],
    ['below splits', ['train/a/1.png', 'train/b/1.png', 'Test/a/2.png'], ['a', 'b']],
    ['below a wrapper and splits', ['d/data/train/a/1.png', 'd/data/val/b/1.png'], ['a', 'b']],
    ['with splits below the classes', ['a/train/1.png', 'a/test/2.png', 'b/train/1.png'], ['a', 'b']],
    ['with folders of patients below', ['a/p1/1.png', 'a/p2/1.png', 'b/p3/s/1.png'], ['a', 'b']],
    [
      'named in Chinese, Cyrillic and with spaces',
      ['肺 炎/图 1.png', 'Норма/снимок 2.jpg'],
      ['Норма', '肺 炎'],
    ],
    [
      'in natural order',
      ['grade 10/1.png', 'grade 9/1.png', 'grade 1/1.png'],
      ['grade 1', 'grade 9', 'grade 10'],
    ],
    [
      'whose names sound like masks',
      ['with_mask/1.png', 'without_mask/1.png'],
      ['with_mask', 'without_mask'],
    ],
    [
      'whose names end in images',
      ['normal images/1.png', 'covid images/1.png'],
      ['covid images', 'normal images'],
    ],
  ])('finds classes %s', async (_, paths, expected) => {
    expect((await classes(paths)).classes).toEqual(expected)
  })

  it('names images outside every class folder', async () => {
    const found = await classes(['logo.png', 'data/cover.jpg', 'data/a/1.png', 'data/b/1.png'])
    expect(found.stray.sort()).toEqual(['data/cover.jpg', 'logo.png'])
    expect(found.items).toHaveLength(2)
  })

  it('names class folders with nothing in them, also below splits', async () => {
    expect((await classes(['a/1.png', 'b/1.png'], ['c', 'a/old'])).empty).toEqual(['c'])
    expect((await classes(['train/a/1.png', 'test/b/1.png'], ['test/c', 'test/a'])).empty).toEqual(['test/c'])
  })

  it('ignores what operating systems leave behind', async () => {
    const found = await classes([
      ...['__MACOSX/a/._1.png', 'a/.thumb.png', 'a/1.png', 'b/1.png', 'a/@eaDir/1.png/THUMB_M.jpg'],
      ...['@eaDir/1.jpg', '$RECYCLE.BIN/1.png', 'lost+found/1.png', '#recycle/c/1.png'],
      'System Volume Information/1.png',
    ])
    expect(found.items.map(({ path }) => path)).toEqual(['a/1.png', 'b/1.png'])
    expect(found.classes).toEqual(['a', 'b'])
  })
})

describe('images and masks', () => {
  it.each([
    ['same names', ['images/1.png', 'labels/1.png'], [['images/1.png', 'labels/1.png']]],
    ['other extensions', ['Images/1.jpg', 'Masks/1.png'], [['Images/1.jpg', 'Masks/1.png']]],
    ['a mask ending', ['img/a.png', 'mask/a_mask.png'], [['img/a.png', 'mask/a_mask.png']]],
    ['a mask beginning', ['imgs/a.png', 'seg/seg-a.png'], [['imgs/a.png', 'seg/seg-a.png']]],
    [
      'both marked',
      ['images/x_image_3.png', 'masks/x_mask_3.png'],
      [['images/x_image_3.png', 'masks/x_mask_3.png']],
    ],
    [
      'splits outside',
      ['train/images/1.png', 'train/masks/1.png'],
      [['train/images/1.png', 'train/masks/1.png']],
    ],
    ['splits inside', ['images/val/1.png', 'labels/val/1.png'], [['images/val/1.png', 'labels/val/1.png']]],
    ['splits in names', ['train_img/1.png', 'train_gt/1.png'], [['train_img/1.png', 'train_gt/1.png']]],
    [
      'Pascal VOC folders',
      ['JPEGImages/1.jpg', 'SegmentationClass/1.png'],
      [['JPEGImages/1.jpg', 'SegmentationClass/1.png']],
    ],
    [
      'an inner mask folder',
      ['labels/images/1.png', 'labels/masks/1.png'],
      [['labels/images/1.png', 'labels/masks/1.png']],
    ],
    ['Chinese', ['图像/肺 1.png', '掩膜/肺 1.png'], [['图像/肺 1.png', '掩膜/肺 1.png']]],
    ['Russian', ['Изображения/а.png', 'Маски/а.png'], [['Изображения/а.png', 'Маски/а.png']]],
    [
      'one folder',
      ['a.png', 'a_mask.png', 'b.png', 'b_mask.png'],
      [
        ['a.png', 'a_mask.png'],
        ['b.png', 'b_mask.png'],
      ],
    ],
    [
      'one folder a diagnosis',
      ['benign/b (1).png', 'benign/b (1)_mask.png'],
      [['benign/b (1).png', 'benign/b (1)_mask.png']],
    ],
    ['a double extension', ['images/1.jpg', 'masks/1.jpg.png'], [['images/1.jpg', 'masks/1.jpg.png']]],
  ])('pairs by %s', async (_, paths, expected) => {
    expect((await masks(paths)).pairs.map(({ image, label }) => [image, label])).toEqual(expected)
  })

  it('names images without a mask, masks without an image and stray pictures', async () => {
    const found = await masks([
      'images/1.png',
      'images/2.png',
      'labels/1.png',
      'labels/3.png',
      'cover.png',
      'files.csv',
    ])
    expect(found.pairs).toHaveLength(1)
    expect(found.imagesAlone).toEqual(['images/2.png'])
    expect(found.labelsAlone).toEqual(['labels/3.png'])
    expect(found.stray).toEqual(['cover.png'])
  })

  it('does not let an ending steal the exact partner', async () => {
    const found = await masks(['images/a.png', 'images/a_image.png', 'masks/a.png', 'masks/a_mask.png'])
    expect(found.pairs).toContainEqual({ image: 'images/a.png', label: 'masks/a.png' })
  })

  it('pairs nothing where two images could have the mask', async () => {
    const found = await masks(['images/a.png', 'images/a.jpg', 'images/b.png', 'masks/a.png', 'masks/b.png'])
    expect(found.pairs).toEqual([{ image: 'images/b.png', label: 'masks/b.png' }])
    expect(found.imagesAlone).toEqual(['images/a.jpg', 'images/a.png'])
    expect(found.labelsAlone).toEqual(['masks/a.png'])
  })

  it('keeps the splits of one set apart', async () => {
    const found = await masks([
      'train/images/1.png',
      'train/masks/2.png',
      'val/images/1.png',
      'val/masks/1.png',
    ])
    expect(found.pairs).toEqual([{ image: 'val/images/1.png', label: 'val/masks/1.png' }])
  })
})

it('takes pictures alone for classes where masks lie beside them', async () => {
  const found = await named(
    ['cyst/a.png', 'cyst/a_mask.png', 'cyst/a_mask_1.png', 'solid/b.png', 'solid/b_mask.png', 'solid/c.png'],
    'classification',
  )
  expect(found).toMatchObject({
    layout: 'class_folders',
    classes: ['cyst', 'solid'],
    items: [
      { path: 'cyst/a.png', class: 0 },
      { path: 'solid/b.png', class: 1 },
      { path: 'solid/c.png', class: 1 },
    ],
    masks: ['cyst/a_mask.png', 'cyst/a_mask_1.png', 'solid/b_mask.png'],
  })
  expect(await named(['images/1.png', 'masks/1.png'], 'classification')).toEqual({
    ...{ layout: null, failure: 'task_differs' },
  })
})

describe('folders of which nothing can be made', () => {
  it.each([
    ['empty_folder', []],
    ['no_images', ['README.md', 'labels.csv']],
    ['no_images', ['series 1/IM0001.dcm', 'DICOMDIR']],
    ['single_class', ['cats/1.png', 'cats/2.png']],
    ['single_class', ['train/cats/1.png', 'test/cats/2.png']],
    ['layout_unknown', ['1.png', '2.png']],
    ['layout_unknown', ['train/1.png', 'test/2.png']],
    ['nothing_matches', ['images/1.png', 'masks/2.png']],
  ])('answers %s', async (failure, paths) => {
    expect(await named(paths, 'classification')).toEqual({ layout: null, failure })
  })

  it.each(['classification', 'multilabel', 'segmentation', 'detection', 'denoising'] as const)(
    'says that volumes are there where pictures are wanted (%s)',
    async (task) => {
      expect(await named(['ill/1.nii.gz', 'well/2.NII'], task)).toEqual({
        layout: null,
        failure: 'task_differs',
        problems: [{ path: 'ill/1.nii.gz', reason: 'volumes_not_pictures', params: { count: 2 } }],
      })
    },
  )
})
