import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { images } from '../../../../test/dataset-texts.ts'
import { findIn, labelsOf, numbered, table } from '../../../../test/layouts.ts'
import type { Layout } from './shapes.ts'

/** What a published data set looks like, by its documented names, and what has to come of it. */
type Published = {
  task?: Task
  files: Record<string, string>
  layout: Layout['layout']
  classes: string[]
  /** Classes by image. */
  says: Record<string, string[]>
  /** Where it was read; a table and a column, or a name. */
  from?: [string, string]
  /** Asked on the page, because several things could have been meant. */
  isAsked?: boolean
  problems?: [string, string][]
}

const mura = (n: number): string =>
  `MURA-v1.1/train/XR_${n % 3 ? 'WRIST' : 'HAND'}/patient0000${n}/study1_${n % 2 ? 'positive' : 'negative'}`

const published: Record<string, Published> = {
  'MedMNIST as pictures, with its table': {
    files: {
      ...images(...numbered(4, (n) => `pathmnist/train${n - 1}_${n % 2}.png`)),
      'pathmnist.csv': table(...numbered(4, (n) => `TRAIN,train${n - 1}_${n % 2}.png,${n % 2}`)),
    },
    layout: 'csv_labels',
    classes: ['0', '1'],
    says: { 'pathmnist/train0_1.png': ['1'], 'pathmnist/train1_0.png': ['0'] },
    from: ['pathmnist.csv', '#3'],
  },
  'MedNIST folders': {
    files: images(
      'MedNIST/AbdomenCT/000000.jpeg',
      'MedNIST/BreastMRI/000000.jpeg',
      'MedNIST/CXR/000001.jpeg',
    ),
    layout: 'class_folders',
    classes: ['AbdomenCT', 'BreastMRI', 'CXR'],
    says: { 'MedNIST/CXR/000001.jpeg': ['CXR'] },
  },
  'NIH ChestX-ray14': {
    task: 'multilabel',
    files: {
      ...images(
        'images_001/images/00000001_000.png',
        'images_001/images/00000001_001.png',
        'images_002/images/00000002_000.png',
      ),
      'Data_Entry_2017.csv': table(
        'Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,Patient Gender,View Position,OriginalImage[Width,Height],OriginalImagePixelSpacing[x,y],',
        '00000001_000.png,Cardiomegaly|Emphysema,0,1,58,M,PA,2682,2749,0.143,0.143,',
        '00000001_001.png,Cardiomegaly,1,1,58,M,PA,2894,2729,0.143,0.143,',
        '00000002_000.png,No Finding,0,2,81,M,PA,2500,2048,0.171,0.171,',
      ),
      'BBox_List_2017.csv': table(
        'Image Index,Finding Label,Bbox [x,y,w,h],,,',
        '00000001_000.png,Atelectasis,225.08,547.01,86.77,79.18',
      ),
    },
    layout: 'csv_labels',
    classes: ['Cardiomegaly', 'Emphysema', 'No Finding'],
    says: {
      'images_001/images/00000001_000.png': ['Cardiomegaly', 'Emphysema'],
      'images_002/images/00000002_000.png': ['No Finding'],
    },
    from: ['Data_Entry_2017.csv', 'Finding Labels'],
  },
  'CheXpert, whose −1 is neither yes nor no': {
    task: 'multilabel',
    files: {
      ...images(
        'train/patient00001/study1/view1_frontal.jpg',
        'train/patient00002/study2/view1_frontal.jpg',
        'valid/patient64541/study1/view1_frontal.jpg',
      ),
      'train.csv': table(
        'Path,Sex,Age,Frontal/Lateral,AP/PA,No Finding,Cardiomegaly,Edema',
        'CheXpert-v1.0-small/train/patient00001/study1/view1_frontal.jpg,Female,68,Frontal,AP,1.0,,',
        'CheXpert-v1.0-small/train/patient00002/study2/view1_frontal.jpg,Female,87,Frontal,AP,,-1.0,1.0',
      ),
      'valid.csv': table(
        'Path,Sex,Age,Frontal/Lateral,AP/PA,No Finding,Cardiomegaly,Edema',
        'CheXpert-v1.0-small/valid/patient64541/study1/view1_frontal.jpg,Male,73,Frontal,AP,0.0,1.0,0.0',
      ),
    },
    layout: 'csv_labels',
    classes: ['No Finding', 'Cardiomegaly', 'Edema'],
    says: {
      'train/patient00001/study1/view1_frontal.jpg': ['No Finding'],
      'train/patient00002/study2/view1_frontal.jpg': ['Edema'],
      'valid/patient64541/study1/view1_frontal.jpg': ['Cardiomegaly'],
    },
    from: ['train.csv', ''],
  },
  'MURA, whose table has no head and names studies': {
    files: {
      ...images(...numbered(12, (n) => `${mura(Math.ceil(n / 2))}/image${n % 2}.png`)),
      'MURA-v1.1/train_labeled_studies.csv': table(...numbered(6, (n) => `${mura(n)}/,${n % 2}`)),
      'MURA-v1.1/train_image_paths.csv': table(`${mura(1)}/image1.png`),
    },
    // The folders of the parts of the body come first; the study's word is offered.
    layout: 'class_folders',
    classes: ['XR_HAND', 'XR_WRIST'],
    says: {},
    isAsked: true,
  },
  HAM10000: {
    files: {
      ...images(
        'HAM10000_images_part_1/ISIC_0024306.jpg',
        'HAM10000_images_part_1/ISIC_0024307.jpg',
        'HAM10000_images_part_2/ISIC_0029306.jpg',
      ),
      'HAM10000_metadata.csv': table(
        'lesion_id,image_id,dx,dx_type,age,sex,localization',
        'HAM_0000118,ISIC_0024306,nv,histo,80.0,male,scalp',
        'HAM_0000118,ISIC_0024307,nv,histo,80.0,male,scalp',
        'HAM_0002730,ISIC_0029306,mel,histo,60.0,female,back',
      ),
    },
    layout: 'csv_labels',
    classes: ['mel', 'nv'],
    says: { 'HAM10000_images_part_2/ISIC_0029306.jpg': ['mel'] },
    from: ['HAM10000_metadata.csv', 'dx'],
  },
  'ISIC 2019, a column a class beside a table of circumstances': {
    files: {
      ...images(
        'ISIC_2019_Training_Input/ISIC_0000000.jpg',
        'ISIC_2019_Training_Input/ISIC_0000001.jpg',
        'ISIC_2019_Training_Input/ISIC_0000002.jpg',
      ),
      'ISIC_2019_Training_GroundTruth.csv': table(
        'image,MEL,NV,BCC',
        'ISIC_0000000,0.0,1.0,0.0',
        'ISIC_0000001,1.0,0.0,0.0',
        'ISIC_0000002,0.0,0.0,1.0',
      ),
      'ISIC_2019_Training_Metadata.csv': table(
        'image,age_approx,anatom_site_general,lesion_id,sex',
        'ISIC_0000000,55.0,anterior torso,,female',
        'ISIC_0000001,30.0,anterior torso,,female',
        'ISIC_0000002,60.0,upper extremity,,male',
      ),
    },
    layout: 'csv_labels',
    classes: ['MEL', 'NV', 'BCC'],
    says: { 'ISIC_2019_Training_Input/ISIC_0000001.jpg': ['MEL'] },
    from: ['ISIC_2019_Training_GroundTruth.csv', ''],
  },
  'ISIC 2020, with three columns that could be meant': {
    files: {
      ...images(...numbered(6, (n) => `train/ISIC_000000${n}.jpg`)),
      'train.csv': table(
        'image_name,patient_id,sex,age_approx,anatom_site_general_challenge,diagnosis,benign_malignant,target',
        ...numbered(
          6,
          (n) =>
            `ISIC_000000${n},IP_${n % 3},male,45.0,torso,${n % 2 ? 'nevus' : 'melanoma'},${n % 2 ? 'benign' : 'malignant'},${(n + 1) % 2}`,
        ),
      ),
    },
    layout: 'csv_labels',
    classes: ['0', '1'],
    says: { 'train/ISIC_0000001.jpg': ['0'] },
    from: ['train.csv', 'target'],
    isAsked: true,
  },
  'APTOS 2019, with the tables of a contest': {
    files: {
      ...images(
        'train_images/000c1434d8d7.png',
        'train_images/001639a390f0.png',
        'test_images/0005cfc8afb6.png',
      ),
      'train.csv': table('id_code,diagnosis', '000c1434d8d7,2', '001639a390f0,4'),
      'test.csv': table('id_code', '0005cfc8afb6'),
      'sample_submission.csv': table('id_code,diagnosis', '0005cfc8afb6,0'),
    },
    layout: 'csv_labels',
    classes: ['2', '4'],
    says: { 'train_images/000c1434d8d7.png': ['2'] },
    from: ['train.csv', 'diagnosis'],
  },
  'IDRiD grading': {
    files: {
      ...images(
        '1. Original Images/a. Training Set/IDRiD_001.jpg',
        '1. Original Images/b. Testing Set/IDRiD_101.jpg',
      ),
      'a. IDRiD_Disease Grading_Training Labels.csv': table(
        'Image name,Retinopathy grade,Risk of macular edema ,,',
        'IDRiD_001,3,2,,',
      ),
      'b. IDRiD_Disease Grading_Testing Labels.csv': table(
        'Image name,Retinopathy grade,Risk of macular edema ,,',
        'IDRiD_101,4,0,,',
      ),
    },
    layout: 'csv_labels',
    classes: ['3', '4'],
    says: { '1. Original Images/a. Training Set/IDRiD_001.jpg': ['3'] },
    from: ['a. IDRiD_Disease Grading_Training Labels.csv', 'Retinopathy grade'],
  },
  'Messidor-2 grades': {
    files: {
      ...images('IMAGES/20051020_43808_0100_PP.png', 'IMAGES/20051020_43832_0100_PP.png'),
      'messidor_data.csv': table(
        'image_id,adjudicated_dr_grade,adjudicated_dme,adjudicated_gradable',
        '20051020_43808_0100_PP.png,0,0,1',
        '20051020_43832_0100_PP.png,1,0,1',
      ),
    },
    layout: 'csv_labels',
    classes: ['0', '1'],
    says: { 'IMAGES/20051020_43832_0100_PP.png': ['1'] },
    from: ['messidor_data.csv', 'adjudicated_dr_grade'],
  },
  'PAD-UFES-20': {
    files: {
      ...images('imgs_part_1/PAT_1516_1765_530.png', 'imgs_part_1/PAT_46_881_939.png'),
      'metadata.csv': table(
        'patient_id,lesion_id,smoke,drink,age,gender,skin_cancer_history,region,diameter_1,diagnostic,itch,grew,img_id,biopsed',
        'PAT_1516,1765,,,8,,,ARM,,NEV,FALSE,FALSE,PAT_1516_1765_530.png,FALSE',
        'PAT_46,881,FALSE,FALSE,55,FEMALE,TRUE,NECK,6,BCC,TRUE,TRUE,PAT_46_881_939.png,TRUE',
      ),
    },
    layout: 'csv_labels',
    classes: ['BCC', 'NEV'],
    says: { 'imgs_part_1/PAT_46_881_939.png': ['BCC'] },
    from: ['metadata.csv', 'diagnostic'],
  },
  'PatchCamelyon of Kaggle': {
    files: {
      ...images('train/f38a6374c348f90b.tif', 'train/c18f2d887b7ae4f6.tif', 'test/0b2ea2a822ad23fd.tif'),
      'train_labels.csv': table('id,label', 'f38a6374c348f90b,0', 'c18f2d887b7ae4f6,1'),
      'sample_submission.csv': table('id,label', '0b2ea2a822ad23fd,0'),
    },
    layout: 'csv_labels',
    classes: ['0', '1'],
    says: { 'train/c18f2d887b7ae4f6.tif': ['1'] },
    from: ['train_labels.csv', 'label'],
  },
  'BreakHis in one folder': {
    files: images(
      ...numbered(
        12,
        (n) => `SOB_${n % 2 ? 'B_' : 'M_'}${['LC', 'A', 'DC', 'F'][n % 4]}-14-${22549 + n}-40-00${n}.png`,
      ),
    ),
    layout: 'name_classes',
    classes: ['B', 'M'],
    says: { 'SOB_B_A-14-22550-40-001.png': ['B'] },
  },
  'Kermany OCT': {
    files: images(
      'OCT2017/train/CNV/CNV-1016042-1.jpeg',
      'OCT2017/train/NORMAL/NORMAL-1001666-1.jpeg',
      'OCT2017/test/CNV/CNV-53018-1.jpeg',
    ),
    layout: 'class_folders',
    classes: ['CNV', 'NORMAL'],
    says: { 'OCT2017/test/CNV/CNV-53018-1.jpeg': ['CNV'] },
  },
  'Kermany OCT in one folder': {
    files: images(...numbered(9, (n) => `${['CNV', 'DME', 'NORMAL'][n % 3]}-${1016042 + n}-1.jpeg`)),
    layout: 'name_classes',
    classes: ['CNV', 'DME', 'NORMAL'],
    says: { 'DME-1016043-1.jpeg': ['DME'] },
  },
  'chest X-rays of Kaggle': {
    files: images(
      'chest_xray/train/NORMAL/IM-0115-0001.jpeg',
      'chest_xray/train/PNEUMONIA/person1_bacteria_1.jpeg',
      'chest_xray/test/NORMAL/IM-0001-0001.jpeg',
      'chest_xray/val/PNEUMONIA/person1946_bacteria_4874.jpeg',
    ),
    layout: 'class_folders',
    classes: ['NORMAL', 'PNEUMONIA'],
    says: { 'chest_xray/test/NORMAL/IM-0001-0001.jpeg': ['NORMAL'] },
  },
  'brain tumours': {
    files: images(
      'Training/glioma/Tr-gl_0010.jpg',
      'Training/notumor/Tr-no_0010.jpg',
      'Testing/glioma/Te-gl_0010.jpg',
    ),
    layout: 'class_folders',
    classes: ['glioma', 'notumor'],
    says: { 'Testing/glioma/Te-gl_0010.jpg': ['glioma'] },
  },
  'COVIDx, lists with blanks': {
    files: {
      ...images(...numbered(6, (n) => `train/ARXIV_${n}.png`), ...numbered(3, (n) => `test/MIDRC_${n}.png`)),
      'train.txt': table(
        ...numbered(
          6,
          (n) => `p${Math.ceil(n / 2)} ARXIV_${n}.png ${n % 2 ? 'positive' : 'negative'} cohen${n % 3}`,
        ),
      ),
      'test.txt': table(
        ...numbered(3, (n) => `q${n} MIDRC_${n}.png ${n % 2 ? 'positive' : 'negative'} rsna`),
      ),
    },
    layout: 'csv_labels',
    classes: ['negative', 'positive'],
    says: { 'train/ARXIV_1.png': ['positive'], 'test/MIDRC_2.png': ['negative'] },
    from: ['train.txt', '#3'],
  },
  'cats and dogs': {
    files: images(...numbered(5, (n) => `train/cat.${n}.jpg`), ...numbered(5, (n) => `train/dog.${n}.jpg`)),
    layout: 'name_classes',
    classes: ['cat', 'dog'],
    says: { 'train/dog.3.jpg': ['dog'] },
  },
  'BUSI without its masks, in one folder': {
    files: images(
      ...numbered(4, (n) => `benign (${n}).png`),
      ...numbered(4, (n) => `malignant (${n}).png`),
      ...numbered(4, (n) => `normal (${n}).png`),
    ),
    layout: 'name_classes',
    classes: ['benign', 'malignant', 'normal'],
    says: { 'malignant (2).png': ['malignant'] },
  },
  'a class behind a number': {
    files: images(...numbered(6, (n) => `0000${n}_${n % 2 ? 'normal' : 'glaucoma'}_3.png`)),
    layout: 'name_classes',
    classes: ['glaucoma', 'normal'],
    says: { '00002_glaucoma_3.png': ['glaucoma'] },
  },
  'names of persons, which may or may not be classes': {
    files: images(...numbered(12, (n) => `${['ivanov', 'petrova', 'sidorov'][n % 3]}_${n}.png`)),
    layout: 'name_classes',
    classes: ['ivanov', 'petrova', 'sidorov'],
    says: {},
    isAsked: true,
  },
  'a German spreadsheet with decimal commas': {
    files: {
      ...images('a.png', 'b.png', 'c.png', 'd.png'),
      'Befunde.csv':
        'sep=;\r\nDatei;Größe;Befund\r\na.png;3,5;gut\r\nb.png;4,1;gut\r\nc.png;2,0;böse\r\nd.png;2,5;böse\r\n',
    },
    layout: 'csv_labels',
    classes: ['böse', 'gut'],
    says: { 'c.png': ['böse'] },
    from: ['Befunde.csv', 'Befund'],
  },
}

describe('published data sets of pictures with classes or findings', () => {
  it.each(Object.entries(published))('%s', async (_, expected) => {
    const { files, task = 'classification', layout, classes, says, from, isAsked = false } = expected
    const found = await findIn(files, task)
    expect(found).toMatchObject({ layout, classes })
    if (found.layout === null) return
    const labels = labelsOf(found)
    for (const [path, said] of Object.entries(says)) expect([path, labels.get(path)]).toEqual([path, said])
    const source = 'source' in found ? found.source : undefined
    if (from) expect(source?.from).toEqual({ path: from[0], column: from[1] })
    expect(source?.isUnsure ?? false).toBe(isAsked)
  })
})
