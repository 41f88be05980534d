import { asFound } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { recognise } from '../recognise.ts'
import type { Pairs } from '../shapes.ts'

async function read(paths: string[], task: Task = 'segmentation', reading = {}): Promise<Pairs> {
  const folder = { paths, emptyFolders: [], read: async () => null }
  const layout = await recognise(folder, task, { ...asFound, ...reading })
  if (layout.layout === null) throw new Error(layout.failure)
  if (!('pairs' in layout)) throw new Error(layout.layout)
  return layout
}
const numbers = (count: number, width: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => String(from + index).padStart(width, '0'))

const kindOf = (path: string): number =>
  ['clavicle', 'heart', 'lung'].findIndex((kind) => path.includes(kind))

/** Of each layout: what lies there for one case, and what belongs to its picture. `…` of the table in words a test can read. */
type Case = { image: string; label?: string; masks?: string[]; region?: string; also?: string[] }
type Row = {
  cases: Case[]
  task?: Task
  more?: string[]
  readers?: string[]
  channels?: string[]
  kinds?: string[]
}

const drive = (part: string, number: string, readers: string[]): Case => ({
  image: `DRIVE/${part}/images/${number}_${part}.tif`,
  label: `DRIVE/${part}/1st_manual/${number}_manual1.gif`,
  region: `DRIVE/${part}/mask/${number}_${part}_mask.gif`,
  also: readers.includes('2nd') ? [`DRIVE/${part}/2nd_manual/${number}_manual2.gif`] : [],
})

const table: Record<string, Row> = {
  'DRIVE, training alone': { cases: numbers(4, 2, 21).map((number) => drive('training', number, [])) },
  'DRIVE with its second reader': {
    cases: [
      ...numbers(4, 2, 21).map((number) => drive('training', number, [])),
      ...numbers(4, 2).map((number) => drive('test', number, ['2nd'])),
    ],
    readers: ['1st_manual', '2nd_manual'],
  },
  STARE: {
    cases: ['0001', '0002', '0044'].map((number) => ({
      image: `im${number}.ppm`,
      label: `im${number}.ah.ppm`,
      also: [`im${number}.vk.ppm`],
    })),
    readers: ['ah', 'vk'],
  },
  'STARE in three folders': {
    cases: ['0001', '0002', '0044'].map((number) => ({
      image: `STARE/stare-images/im${number}.ppm`,
      label: `STARE/labels-ah/im${number}.ah.ppm`,
      also: [`STARE/labels-vk/im${number}.vk.ppm`],
    })),
    readers: ['labels-ah', 'labels-vk'],
  },
  CHASE_DB1: {
    cases: ['01L', '01R', '02L', '14R'].map((number) => ({
      image: `CHASEDB1/Image_${number}.jpg`,
      label: `CHASEDB1/Image_${number}_1stHO.png`,
      also: [`CHASEDB1/Image_${number}_2ndHO.png`],
    })),
    readers: ['1stho', '2ndho'],
  },
  HRF: {
    cases: ['01_dr', '02_g', '03_h', '04_dr'].map((number) => ({
      image: `HRF/images/${number}.JPG`,
      label: `HRF/manual1/${number}.tif`,
      region: `HRF/mask/${number}_mask.tif`,
    })),
  },
  'ISIC 2018, task 1': {
    cases: numbers(4, 7).map((number) => ({
      image: `ISIC2018_Task1-2_Training_Input/ISIC_${number}.jpg`,
      label: `ISIC2018_Task1_Training_GroundTruth/ISIC_${number}_segmentation.png`,
    })),
    more: ['ISIC2018_Task1-2_Training_Input/LICENSE.txt'],
  },
  'ISIC in one folder': {
    cases: numbers(4, 7).map((number) => ({
      image: `ISIC_${number}.jpg`,
      label: `ISIC_${number}_segmentation.png`,
    })),
  },
  KiTS: {
    task: 'volume_segmentation',
    cases: numbers(3, 5, 0).map((number) => ({
      image: `kits19/data/case_${number}/imaging.nii.gz`,
      label: `kits19/data/case_${number}/segmentation.nii.gz`,
    })),
  },
  'KiTS, one case': {
    task: 'volume_segmentation',
    cases: [{ image: 'data/case_00000/imaging.nii.gz', label: 'data/case_00000/segmentation.nii.gz' }],
  },
  Decathlon: {
    task: 'volume_segmentation',
    cases: numbers(3, 3).map((number) => ({
      image: `Task04_Hippocampus/imagesTr/hippocampus_${number}.nii.gz`,
      label: `Task04_Hippocampus/labelsTr/hippocampus_${number}.nii.gz`,
    })),
  },
  'nnU-Net raw, one channel': {
    task: 'volume_segmentation',
    cases: numbers(3, 3).map((number) => ({
      image: `Dataset001_Liver/imagesTr/liver_${number}_0000.nii.gz`,
      label: `Dataset001_Liver/labelsTr/liver_${number}.nii.gz`,
    })),
  },
  'nnU-Net raw, two channels': {
    task: 'volume_segmentation',
    cases: numbers(3, 3).map((number) => ({
      image: `Dataset005_Prostate/imagesTr/prostate_${number}_0000.nii.gz`,
      label: `Dataset005_Prostate/labelsTr/prostate_${number}.nii.gz`,
      also: [`Dataset005_Prostate/imagesTr/prostate_${number}_0001.nii.gz`],
    })),
    channels: ['0000', '0001'],
  },
  'BraTS 2020': {
    task: 'volume_segmentation',
    cases: numbers(3, 3).map((number) => {
      const start = `MICCAI_BraTS2020_TrainingData/BraTS20_Training_${number}/BraTS20_Training_${number}`
      return {
        image: `${start}_flair.nii.gz`,
        label: `${start}_seg.nii.gz`,
        also: ['t1', 't1ce', 't2'].map((channel) => `${start}_${channel}.nii.gz`),
      }
    }),
    channels: ['flair', 't1', 't1ce', 't2'],
  },
  CAMUS: {
    task: 'volume_segmentation',
    cases: numbers(2, 4).flatMap((number) =>
      ['2CH_ED', '2CH_ES', '4CH_ED', '4CH_ES'].map((view) => ({
        image: `database_nifti/patient${number}/patient${number}_${view}.nii.gz`,
        label: `database_nifti/patient${number}/patient${number}_${view}_gt.nii.gz`,
      })),
    ),
  },
  'Kvasir-SEG': {
    cases: ['cju0qkwl35piu0993l0dewei2', 'cju0qoxqj9q6s0835b43399p4', 'cju0qx73cjw570799j4n5cjze'].map(
      (id) => ({
        image: `Kvasir-SEG/images/${id}.jpg`,
        label: `Kvasir-SEG/masks/${id}.jpg`,
      }),
    ),
    more: ['Kvasir-SEG/kavsir_bboxes.json'],
  },
  'CVC-ClinicDB': {
    cases: ['1', '2', '10'].map((number) => ({
      image: `CVC-ClinicDB/Original/${number}.tif`,
      label: `CVC-ClinicDB/Ground Truth/${number}.tif`,
    })),
  },
  'DSB 2018, stage 1': {
    cases: ['00ae65c1c6631ae6f2be1a449902976e', '0a7d30b252359a10fd298b638b90cb9a'].map((id) => ({
      image: `stage1_train/${id}/images/${id}.png`,
      masks: ['07a9bf1d7594af2763c86e93', '0e548d0af63ab451616f082e', '0ea8f3a2bd1b3f5b0f6e7f88'].map(
        (mask) => `stage1_train/${id}/masks/${mask}${id.slice(0, 4)}.png`,
      ),
    })),
  },
  'Montgomery, lungs apart': {
    cases: ['0001_0', '0002_0', '0104_1'].map((number) => ({
      image: `MontgomerySet/CXR_png/MCUCXR_${number}.png`,
      masks: ['leftMask', 'rightMask'].map((side) => `MontgomerySet/ManualMask/${side}/MCUCXR_${number}.png`),
    })),
    more: ['MontgomerySet/ClinicalReadings/MCUCXR_0001_0.txt'],
  },
  'JSRT with SCR': {
    cases: ['001', '002', '003'].map((number) => ({
      image: `JSRT/images/JPCLN${number}.png`,
      masks: ['heart', 'left clavicle', 'right clavicle', 'left lung', 'right lung']
        .map((organ) => `JSRT/masks/${organ}/JPCLN${number}.gif`)
        .sort((one, other) => kindOf(one) - kindOf(other)),
    })),
    kinds: ['clavicle', 'heart', 'lung'],
  },
  PH2: {
    cases: ['IMD002', 'IMD003', 'IMD101'].map((id) => ({
      image: `PH2Dataset/${id}/${id}_Dermoscopic_Image/${id}.bmp`,
      label: `PH2Dataset/${id}/${id}_lesion/${id}_lesion.bmp`,
    })),
    more: ['IMD003/IMD003_roi/IMD003_R1_Label4.bmp', 'IMD101/IMD101_roi/IMD101_R1_Label2.bmp'].map(
      (path) => `PH2Dataset/${path}`,
    ),
    readers: ['lesion', 'roi'],
  },
  BUSI: {
    cases: ['benign', 'malignant', 'normal'].flatMap((name) =>
      ['1', '2', '10'].map((number) => {
        const image = `Dataset_BUSI_with_GT/${name}/${name} (${number})`
        const more =
          name === 'benign' && number === '10' ? [`${image}_mask_1.png`, `${image}_mask_2.png`] : []
        return { image: `${image}.png`, masks: [`${image}_mask.png`, ...more] }
      }),
    ),
  },
  LGG: {
    cases: ['TCGA_CS_4941_19960909', 'TCGA_DU_5849_19950405'].flatMap((id) =>
      ['1', '2', '11'].map((slice) => ({
        image: `kaggle_3m/${id}/${id}_${slice}.tif`,
        label: `kaggle_3m/${id}/${id}_${slice}_mask.tif`,
      })),
    ),
    more: ['kaggle_3m/data.csv'],
  },
  'Pascal VOC': {
    cases: ['2007_000032', '2007_000033', '2007_000039'].map((number) => ({
      image: `VOC2012/JPEGImages/${number}.jpg`,
      label: `VOC2012/SegmentationClass/${number}.png`,
      also: [`VOC2012/SegmentationObject/${number}.png`],
    })),
    more: ['VOC2012/Annotations/2007_000032.xml', 'VOC2012/ImageSets/Segmentation/train.txt'],
    readers: ['SegmentationClass', 'SegmentationObject'],
  },
  Cityscapes: {
    cases: [
      ['train', 'aachen', '000000'],
      ['train', 'aachen', '000001'],
      ['train', 'bremen', '000000'],
      ['val', 'lindau', '000000'],
    ].map(([part, city, number]) => {
      const name = `${part}/${city}/${city}_${number}_000019`
      return {
        image: `leftImg8bit/${name}_leftImg8bit.png`,
        label: `gtFine/${name}_gtFine_labelIds.png`,
        also: [`gtFine/${name}_gtFine_color.png`, `gtFine/${name}_gtFine_instanceIds.png`],
      }
    }),
    readers: ['gtFine/labelids', 'gtFine/color', 'gtFine/instanceids'],
  },
  GlaS: {
    cases: ['train_1', 'train_2', 'testA_1', 'testB_1'].map((name) => ({
      image: `Warwick QU Dataset (Released 2016_07_08)/${name}.bmp`,
      label: `Warwick QU Dataset (Released 2016_07_08)/${name}_anno.bmp`,
    })),
    more: ['Warwick QU Dataset (Released 2016_07_08)/Grade.csv'],
  },
  CRAG: {
    cases: ['train_1', 'train_2', 'train_3'].map((name) => ({
      image: `CRAG/train/Images/${name}.png`,
      label: `CRAG/train/Annotation/${name}.png`,
    })),
  },
  MoNuSeg: {
    cases: ['TCGA-18-5592-01Z-00-DX1', 'TCGA-38-6178-01Z-00-DX1', 'TCGA-49-4488-01Z-00-DX1'].map((name) => ({
      image: `MoNuSeg/Tissue Images/${name}.tif`,
      label: `MoNuSeg/Binary Masks/${name}_bin_mask.png`,
    })),
    more: ['MoNuSeg/Annotations/TCGA-18-5592-01Z-00-DX1.xml'],
  },
  'WBC, two kinds of files': {
    cases: numbers(3, 3).map((number) => ({
      image: `segmentation_WBC/Dataset 1/${number}.bmp`,
      label: `segmentation_WBC/Dataset 1/${number}.png`,
    })),
    more: ['segmentation_WBC/Class Labels of Dataset 1.csv'],
  },
  'INbreast, drawn as pictures': {
    cases: [
      ['20586908', '6c613a14b80a8591', 'R_CC'],
      ['20586934', '6c613a14b80a8591', 'L_CC'],
      ['20587054', 'b6a4f750c6df4f90', 'R_ML'],
    ].map(([number, patient, view]) => ({
      image: `INbreast/images/${number}_${patient}_MG_${view}_ANON.png`,
      label: `INbreast/masks/${number}_mask.png`,
    })),
  },
  IDRiD: {
    cases: ['01', '02', '03'].map((number) => ({
      image: `A. Segmentation/1. Original Images/a. Training Set/IDRiD_${number}.jpg`,
      masks: [
        ['2. Haemorrhages', 'HE'],
        ['1. Microaneurysms', 'MA'],
      ].map(
        ([kind, ending]) =>
          `A. Segmentation/2. All Segmentation Groundtruths/a. Training Set/${kind}/IDRiD_${number}_${ending}.tif`,
      ),
    })),
    kinds: ['haemorrhages', 'microaneurysms'],
  },
  'names that begin with their side': {
    cases: numbers(3, 3).map((number) => ({
      image: `set/image_${number}.png`,
      label: `set/mask_${number}.png`,
    })),
  },
  'words in Chinese and Russian': {
    cases: numbers(3, 2).map((number) => ({
      image: `图像/снимок ${number}.png`,
      label: `掩膜/маска ${number}.png`,
    })),
  },
  'numbers that only their folders share': {
    cases: numbers(3, 3).map((number) => ({
      image: `set/images/photo-${number}-left.png`,
      label: `set/lesion masks/outline_of_${number}.png`,
    })),
  },
}

describe('published layouts with masks', () => {
  it.each(Object.entries(table))('%s', async (_, { cases, task, more = [], readers, channels, kinds }) => {
    const paths = [
      ...cases.flatMap(({ image, label, masks = [], region, also = [] }) => [
        image,
        ...(label ? [label] : []),
        ...masks,
        ...(region ? [region] : []),
        ...also,
      ]),
      ...more,
    ]
    const found = await read(paths, task)
    const said = Object.fromEntries(
      found.pairs.map(({ image, label, mix, region }) => [image, { masks: mix?.paths ?? [label], region }]),
    )
    const meant = Object.fromEntries(
      cases.map(({ image, label, masks, region }) => [image, { masks: masks ?? [label], region }]),
    )
    expect(said).toEqual(meant)
    expect(found.readers?.map(({ key }) => key)).toEqual(readers)
    expect(found.channels?.map(({ key }) => key)).toEqual(channels)
    expect(found.kindNames).toEqual(kinds)
    expect([...found.imagesAlone, ...found.labelsAlone, ...found.stray]).toEqual([])
  })
})

describe('where several marked the same', () => {
  const paths = (table.CHASE_DB1?.cases ?? []).flatMap(({ image, label = '', also = [] }) => [
    image,
    label,
    ...also,
  ])

  it('the owner chooses one', async () => {
    const found = await read(paths, 'segmentation', { labels: '2ndho' })
    expect(found.counts).toBe('2ndho')
    expect(found.pairs[0]).toEqual({ image: 'CHASEDB1/Image_01L.jpg', label: 'CHASEDB1/Image_01L_2ndHO.png' })
  })

  it.each([
    ['majority', 'most'],
    ['all', 'any'],
  ])('or takes %s', async (labels, how) => {
    const found = await read(paths, 'segmentation', { labels })
    expect(found.pairs[0]?.mix).toEqual({
      how,
      paths: ['CHASEDB1/Image_01L_1stHO.png', 'CHASEDB1/Image_01L_2ndHO.png'],
    })
  })

  it('a choice that is there no more gives the first again', async () => {
    expect((await read(paths, 'segmentation', { labels: 'gone' })).counts).toBe('1stho')
  })

  it('one channel is learned from, the first unless the owner chose', async () => {
    const brats = (table['BraTS 2020']?.cases ?? []).flatMap(({ image, label = '', also = [] }) => [
      image,
      label,
      ...also,
    ])
    expect((await read(brats, 'volume_segmentation', { images: 't1ce' })).pairs[0]?.image).toMatch(
      /_t1ce\.nii\.gz$/,
    )
  })
})

it('a field of view is a label where nothing better is there', async () => {
  const found = await read(['set/images/1.png', 'set/mask/1.png'])
  expect(found.pairs).toEqual([{ image: 'set/images/1.png', label: 'set/mask/1.png' }])
})

it('masks may be arrays of numbers, pictures may not', async () => {
  const found = await read(['set/images/1.png', 'set/masks/1.npy', 'set/a.jpg', 'set/a_mask.npy'])
  expect(found.pairs).toContainEqual({ image: 'set/images/1.png', label: 'set/masks/1.npy' })
  await expect(read(['set/images/1.npy', 'set/masks/1.npy'])).rejects.toThrow('no_images')
})

describe('numbers with zeros before them and without', () => {
  it('are one number where each is of one file alone', async () => {
    const found = await read([
      ...['set/img/case001.png', 'set/img/case010.png', 'set/img/case012.png'],
      ...['set/mask/case1.png', 'set/mask/case10.png', 'set/mask/case12.png'],
    ])
    expect(found.pairs.map(({ image, label }) => [image, label])).toEqual([
      ['set/img/case001.png', 'set/mask/case1.png'],
      ['set/img/case010.png', 'set/mask/case10.png'],
      ['set/img/case012.png', 'set/mask/case12.png'],
    ])
  })

  it('pair nothing where two files have one number', async () => {
    const found = await read([
      ...['set/img/case001.png', 'set/img/case01.png', 'set/img/case2.png'],
      ...['set/mask/case1.png', 'set/mask/case02.png'],
    ])
    expect(found.pairs).toEqual([{ image: 'set/img/case2.png', label: 'set/mask/case02.png' }])
    expect(found.labelsAlone).toEqual(['set/mask/case1.png'])
  })
})
