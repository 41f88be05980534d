import { describe, expect, it } from 'vitest'
import { patientsInNames } from './patients.ts'

/** For each name the number of its group in order of appearance; `.` = stands alone. */
function grouped(names: readonly string[], classes: readonly string[] = []): string {
  const seen: string[] = []
  return patientsInNames(names, classes)
    .patients.map((patient) => {
      if (patient === null) return '.'
      if (!seen.includes(patient)) seen.push(patient)
      return seen.indexOf(patient)
    })
    .join('')
}

/** Two pictures of each of three. */
const pairs = (name: (patient: number, picture: number) => string): string[] =>
  [1, 2, 3].flatMap((patient) => [1, 2].map((picture) => name(patient, picture)))

type Case = [scheme: string, names: string[], groups: string, classes?: string[]]

const tellPatients: Case[] = [
  [
    'persons beside files that name none',
    [
      'PNEUMONIA/person1072_bacteria_3006.jpeg',
      'PNEUMONIA/person1072_bacteria_3007.jpeg',
      'PNEUMONIA/person12_virus_46.jpeg',
      'NORMAL/other.jpeg',
    ],
    '001.',
  ],
  [
    'Kermany X-rays, of which two sets count anew',
    [
      'NORMAL/IM-0012-0001.jpeg',
      'NORMAL/IM-0012-0001-0002.jpeg',
      'NORMAL/NORMAL2-IM-0012-0001.jpeg',
      'NORMAL/IM-0115-0001.jpeg',
    ],
    '0012',
    ['NORMAL'],
  ],
  [
    'Kermany OCT, where a person has several diseases',
    [
      'CNV/CNV-1016042-1.jpeg',
      'CNV/CNV-1016042-2.jpeg',
      'DME/DME-1016042-3.jpeg',
      'DRUSEN/DRUSEN-22-1.jpeg',
      'DRUSEN/DRUSEN-33-1.jpeg',
    ],
    '00012',
  ],
  ['P001', ['P001_1.png', 'P001_2.png', 'P002_1.png', 'P-003.png'], '0012'],
  ['pt-12', ['pt-12_a.png', 'pt-12_b.png', 'pt-13_a.png', 'pt-2_a.png'], '0012'],
  ['patient and slice in folders', pairs((p, s) => `images/patient0${p}/slice0${s}.png`), '001122'],
  [
    'a patient written in several ways',
    ['Patient 1/a.png', 'patient_01/b.png', 'PATIENT1_c.png', 'patient2.png', 'patient3.png'],
    '00012',
  ],
  ['ACDC', pairs((p, s) => `patient00${p}/patient00${p}_frame0${s}.nii.gz`), '001122'],
  ['MURA', pairs((p, s) => `XR_WRIST/patient0001${p}/study${s}_positive/image1.png`), '001122'],
  ['CheXpert', pairs((p, s) => `train/patient0000${p}/study${s}/view1_frontal.jpg`), '001122'],
  [
    'MIMIC-CXR',
    [
      'p10/p10000032/s50414267/a.jpg',
      'p10/p10000032/s2/b.jpg',
      'p10/p10000764/s3/c.jpg',
      'p11/p11000011/s4/d.jpg',
    ],
    '0012',
  ],
  [
    'BIDS with a session',
    pairs((p, s) => `sub-0${p}/ses-0${s}/anat/sub-0${p}_ses-0${s}_T1w.nii.gz`),
    '001122',
  ],
  ['BIDS with letters', pairs((p, s) => `sub-CC11003${p}_run-${s}_T1w.nii.gz`), '001122'],
  [
    'BraTS 2018 with a time',
    [
      'Brats18_TCIA01_131_1/x.nii',
      'Brats18_TCIA01_131_2/x.nii',
      'Brats18_2013_10_1/x.nii',
      'Brats18_CBICA_AAB_1/x.nii',
    ],
    '001.',
  ],
  [
    'BraTS 2020',
    pairs((p, s) => `BraTS20_Training_00${p}/BraTS20_Training_00${p}_${['', 'flair', 't1'][s]}.nii.gz`),
    '001122',
  ],
  ['BraTS 2023 with a time', pairs((p, s) => `BraTS-GLI-0000${p}-00${s}/t1n.nii.gz`), '001122'],
  [
    'KiTS, a file each',
    ['case_00000/imaging.nii.gz', 'case_00001/imaging.nii.gz', 'case_00012/imaging.nii.gz'],
    '012',
  ],
  ['LIDC', pairs((p, s) => `LIDC-IDRI-000${p}/nodule_${s}.png`), '001122'],
  [
    'TCGA',
    [
      'TCGA-02-0006_01.png',
      'TCGA-02-0006_02.png',
      'TCGA-A1-A0SB-01Z-00-DX1.png',
      'TCGA-A1-A0SD-01Z-00-DX1.png',
    ],
    '0012',
  ],
  [
    'OASIS with a second visit',
    [
      'Mild/OAS1_0001_MR1_55.jpg',
      'Mild/OAS1_0001_MR2_56.jpg',
      'Mild/OAS1_0003_MR1_55.jpg',
      'None/OAS1_0009_MR1_55.jpg',
    ],
    '0012',
  ],
  ['ADNI', pairs((p, s) => `ADNI_002_S_041${p}_MR_${s}.nii`), '001122'],
  [
    'NIH chest X-rays',
    ['00000013_005.png', '00000013_006.png', '00000014_000.png', '00000015_000.png'],
    '0012',
  ],
  ['DDSM', pairs((p, s) => `cancer/A_100${p}_1.${['', 'LEFT', 'RIGHT'][s]}_CC.png`), '001122'],
  ['CBIS-DDSM', pairs((p, s) => `Mass-Training_P_0000${p}_${['', 'LEFT', 'RIGHT'][s]}_CC.png`), '001122'],
  [
    'INbreast, where the number is the file’s',
    pairs((p, s) => `205869${p}${s}_6c613a14b80a859${p}_MG_${s}_CC_ANON.png`),
    '001122',
  ],
  [
    'BreakHis',
    pairs((p, s) => `SOB/adenosis/SOB_B_A_14-2254${p}/40X/SOB_B_A-14-2254${p}AB-40-00${s}.png`),
    '001122',
  ],
  ['the hippocampus', pairs((p, s) => `images/hippocampus_08${p}_y1${s}.png`), '001122'],
  ['letters, a number and a kind of picture', pairs((p, s) => `pgbm00${p}_flair_${s}.png`), '001122'],
  [
    'pairs of eyes',
    ['Image_09L.jpg', 'Image_09R.jpg', 'Image_10L.jpg', 'Image_10R.jpg', 'Image_11L.jpg'],
    '00112',
  ],
  [
    'eyes in folders of classes',
    ['0/10_left.jpeg', '2/10_right.jpeg', '0/13_left.jpeg', '0/13_right.jpeg', '4/15_left.jpeg'],
    '00112',
  ],
  ['OD and OS', ['12_OD.png', '12_OS.png', '13-od.png', '13-os.png', '14_OD_2.png'], '00112'],
  [
    'a side before the number',
    ['left_1.png', 'right_1.png', 'left_2.png', 'right_2.png', 'left_3.png'],
    '00112',
  ],
  ['eyes in Russian', ['1_левый.png', '1_правый.png', '2 лев.png', '2 прав.png', '3_правая.png'], '00112'],
  ['eyes in Chinese', ['1_左眼.png', '1_右眼.png', '2左.png', '2右.png', '3右.png'], '00112'],
  ['both breasts', ['22_L_CC.png', '22_R_MLO.png', '23_L_CC.png', '23_R_CC.png', '24_R_CC.png'], '00112'],
  ['Russian words', pairs((p, s) => `Пациент №${p}/снимок ${s}.png`), '001122'],
  ['Russian cases', pairs((p, s) => `случай_${p}_срез_${s}.png`), '001122'],
  ['Chinese words', pairs((p, s) => `患者${p}/图${s}.png`), '001122'],
  [
    'a patient and days',
    ['patient1_day1.png', 'patient1_day2.png', 'patient2_day1.png', 'patient3_day1.png'],
    '0012',
  ],
  [
    'a patient before a case',
    ['case1/patient1_1.png', 'case2/patient1_2.png', 'case1/patient2.png', 'case1/patient3.png'],
    '0012',
  ],
  [
    'numbers of folders below classes',
    pairs((p, s) => `${p === 3 ? 'sick' : 'well'}/00${p}/${s}.png`),
    '001122',
    ['sick', 'well'],
  ],
  [
    'names below classes',
    pairs(
      (p, s) => `${p === 3 ? 'sick' : 'well'}/${['', 'Smith John', 'Иванов И.И.', 'Lee Min'][p]}/${s}.png`,
    ),
    '001122',
    ['sick', 'well'],
  ],
  [
    'folders above kinds of pictures',
    pairs((p, s) => `images/s001${p}/${['', 'T1', 'T2'][s]}/a.png`),
    '001122',
  ],
]

describe('patients in names', () => {
  it.each(tellPatients)('are told by %s', (_, names, groups, classes = []) => {
    expect(grouped(names, classes)).toBe(groups)
  })

  const tellNobody: [string, string[], string[]?][] = [
    ['numbers alone (MedNIST)', pairs((p, s) => `Hand/00${p}12${s}.jpeg`), ['Hand']],
    ['numbers of pictures', pairs((p, s) => `BloodImage_0${p}${s}.png`)],
    ['numbers of pictures of skin', pairs((p, s) => `ISIC_00243${p}${s}.jpg`)],
    ['two numbers, of which either could be it', pairs((p, s) => `${p}_${s}.png`)],
    ['a code with one file each', [1, 2, 3].map((p) => `hippocampus_0${p}_x.nii.gz`)],
    ['numbers in brackets', pairs((p, s) => `glioma/training_p (${p}${s}).jpg`), ['glioma']],
    ['slices', pairs((p, s) => `slice_0${p}_${s}.png`)],
    ['days that a camera writes', pairs((p, s) => `IMG_2020010${p}_12000${s}.jpg`)],
    ['pages of papers', pairs((p, s) => `2020.01.24.9191${s}-p2${p}-132.png`)],
    ['a letter with a number, once', ['p_16.png', 'rgb_8.png', 'grey_8.png', 'p_16_tiled.tif']],
    ['hashes', ['8b77284d6f37ab3f.png', 'c322c72b9d411e63.png', 'b1e3aeb0c56261c1.png']],
    ['one patient, who cannot be split', [1, 2, 3].map((s) => `pgbm003_flair_${s}.png`)],
    ['two patients, who cannot be split', ['patient1_1.png', 'patient1_2.png', 'patient2_1.png']],
    ['one side of everything', [1, 2, 3, 4, 5].map((p) => `Image_0${p}L.jpg`)],
    ['sides of different numbers', ['1L.png', '2R.png', '3L.png', '4R.png', '5L.png', '6R.png']],
    ['a pair among many', [...[1, 2, 3, 4, 5, 6, 7, 8].map((p) => `${p}L.png`), '1R.png', '2R.png']],
    [
      'subtypes below classes',
      pairs((p, s) => `lung/${['', 'adeno', 'squamous', 'large'][p]}/${s}.png`),
      ['lung', 'colon'],
    ],
    ['magnifications', pairs((p, s) => `benign/${['', '40X', '100X', '200X'][p]}/${s}.png`), ['benign']],
    ['years', pairs((p, s) => `201${p}/${s}.png`)],
    [
      'classes that are called like patients',
      pairs((p, s) => `case ${p}/${s}.png`),
      ['case 1', 'case 2', 'case 3'],
    ],
  ]
  it.each(tellNobody)('are not told by %s', (_, names, classes = []) => {
    expect(grouped(names, classes)).toBe('.'.repeat(names.length))
  })

  it('are said by how most names are written, and by others beside it', () => {
    const names = ['person1_a.png', 'person1_b.png', 'person2.png', 'IM-0012-0001.png', 'IM-0012-0002.png']
    expect(patientsInNames(names)).toMatchObject({
      rule: { by: 'name', example: 'person1_a.png', from: 0, to: 7 },
      pattern: 'person…, IM-…',
      ...{ pairs: 0, tooFew: 0 },
    })
    expect(patientsInNames(['1L.png', '1R.png', '2L.png', '2R.png', '3L.png']).pairs).toBe(2)
    expect(patientsInNames(['a/patient1_1.png', 'a/patient2_1.png', 'a/patient1_2.png'])).toMatchObject({
      ...{ rule: { by: 'none' }, pattern: '', tooFew: 2 },
    })
  })

  it('are pointed at in the whole path, also below one folder that all lie in', () => {
    const { rule } = patientsInNames(pairs((p, s) => `set/all/patient${p}_${s}.png`))
    expect(rule).toEqual({ by: 'name', example: 'set/all/patient1_1.png', from: 8, to: 16 })
  })
})
