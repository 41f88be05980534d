/** What a segmentation has to name of the images that it was drawn on (PS3.3 C.8.20, C.7.6.16): identifiers and places, no patient. */
import { refuse, type Triple } from '../model.ts'
import type { DicomFile } from './file.ts'
import { shapeOf } from './pixels.ts'
import { arrangedOf } from './scan.ts'

export type DicomSource = {
  studyUid: string
  seriesUid: string
  frameOfReferenceUid: string
  studyDate: string
  studyTime: string
  studyId: string
  /** In the order of the image's slices; `frame` counts from 1, null where a file has one. */
  slices: { sopClassUid: string; sopInstanceUid: string; frame: number | null; position: Triple }[]
}

/** Null where the files do not say where they lie in a patient, or to which study they belong. */
export function sourceOf(
  files: readonly DicomFile[],
  limitBytes: number,
): {
  size: Triple
  dicom: DicomSource | null
  geometry: ReturnType<typeof arrangedOf>['arranged']['geometry']
} {
  const [first] = files
  if (!first) throw refuse('empty')
  const { alike, arranged } = arrangedOf(files, limitBytes)
  const { shape, frames } = shapeOf(alike[0] ?? first, limitBytes)
  const size: Triple = [shape.columns, shape.rows, arranged.slices]
  const text = (tag: string): string => first.text(tag)
  const slices = arranged.planes.flatMap(({ file, frame, position }) => {
    const sopInstanceUid = alike[file]?.text('00080018') ?? ''
    const sopClassUid = alike[file]?.text('00080016') ?? ''
    if (!position || sopInstanceUid === '' || sopClassUid === '') return []
    return [{ sopClassUid, sopInstanceUid, frame: frames > 1 ? frame + 1 : null, position }]
  })
  const source: DicomSource = {
    ...{ studyUid: text('0020000d'), seriesUid: text('0020000e'), frameOfReferenceUid: text('00200052') },
    ...{ studyDate: text('00080020'), studyTime: text('00080030'), studyId: text('00200010'), slices },
  }
  const isWhole = arranged.times === 1 && slices.length === arranged.slices && arranged.geometry?.axes != null
  const isNamed = source.studyUid !== '' && source.seriesUid !== ''
  return { size, geometry: arranged.geometry, dicom: isWhole && isNamed ? source : null }
}
