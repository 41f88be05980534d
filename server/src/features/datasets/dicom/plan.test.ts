import { expect, it } from 'vitest'
import type { DicomHead } from '../../../infra/reader/dicom/head.ts'
import { planDicom } from '../../files/service.ts'
import { recognise } from '../recognise/recognise.ts'
import { isSideFolder } from './read.ts'

const head: DicomHead = {
  ...{
    noPicture: null,
    frameUid: '',
    seriesUid: '',
    seriesNumber: '1',
    description: '',
    patient: '',
    studyUid: '',
    namesPatient: false,
  },
  ...{ frames: 1, columns: 32, rows: 32, isColour: false, spacing: '1 × 1' },
}

it.each(['mask', 'label', 'segmentation'])(
  'a series and %s.nii.gz in one folder are a pair',
  async (word) => {
    const cases = ['case1', 'case2', 'case3']
    const slices = cases.flatMap((name) =>
      [1, 2, 3].map((n) => ({ path: `set/${name}/${n}.dcm`, sha256: `${name} ${n}`, sizeBytes: 1 })),
    )
    const masks = cases.map((name) => ({ path: `set/${name}/${word}.nii.gz`, sha256: name, sizeBytes: 1 }))
    const heads = new Map(
      slices.map(({ sha256 }) => [sha256, { ...head, seriesUid: sha256.split(' ')[0] ?? '' }]),
    )
    const { items } = planDicom([...slices, ...masks], heads, { kind: 'volume', isSide: isSideFolder })
    // Members know them by their folders.
    expect(items.map(({ name }) => name)).toEqual(cases.map((name) => `set/${name}`))
    const paths = [...items, ...masks].map(({ path }) => path)
    const found = await recognise({ paths, emptyFolders: [], read: async () => null }, 'volume_segmentation')
    if (found.layout !== 'volume_pairs') throw new Error('no pairs were found')
    expect(found.pairs.map(({ image, label }) => [image, label])).toEqual(
      cases.map((name) => [`set/${name}/series.nii.gz`, `set/${name}/${word}.nii.gz`]),
    )
  },
)
