/** What a DICOM file says of itself before its pixels, as far as it decides what networks can learn from it. */
import type { ViewReasonName } from '@neuroloom/contract/viewing'
import { isSomebody } from '../patient-identity.ts'
import type { DicomFile } from './file.ts'
import { namesPatient } from './identity.ts'
import { reasonWithoutPixels } from './scan.ts'
import { isSegmentation, segmentNamesIn } from './segmentation.ts'

export type DicomHead = {
  /** Null = it holds a picture. */
  noPicture: ViewReasonName | null
  seriesUid: string
  seriesNumber: string
  description: string
  /** PatientID; '' where it says nothing, or the same for everybody. */
  patient: string
  studyUid: string
  namesPatient: boolean
  frames: number
  columns: number
  rows: number
  isColour: boolean
  /** Between columns and rows in mm: `0.5 × 0.5`; '' when it does not say. */
  spacing: string
  /** FrameOfReferenceUID: images with the same one lie in one patient's space; '' where it does not say. */
  frameUid: string
  /** Missing of what is no segmentation. */
  segmentation?: SegmentationHead
}

/** Which series a segmentation was drawn on, and what its segments are called. */
export type SegmentationHead = {
  seriesUids: string[]
  segments: { number: number; name: string }[]
}

export function headOfDicom(file: DicomFile): DicomHead {
  const number = (tag: string, otherwise: number): number => file.numbers(tag)[0] ?? otherwise
  return {
    noPicture: noPicture(file),
    seriesUid: cut(file.text('0020000e')),
    seriesNumber: cut(file.text('00200011')),
    description: file.text('0008103e').slice(0, 200),
    patient: patientOf(file),
    studyUid: cut(file.text('0020000d')),
    namesPatient: namesPatient(file),
    frames: number('00280008', 1),
    columns: number('00280011', 0),
    rows: number('00280010', 0),
    isColour: number('00280002', 1) !== 1 || file.text('00280004') === 'PALETTE COLOR',
    spacing: spacingOf(file),
    frameUid: cut(file.text('00200052')),
    ...(isSegmentation(file) ? { segmentation: segmentationOf(file) } : {}),
  }
}

function segmentationOf(file: DicomFile): SegmentationHead {
  return {
    seriesUids: file.items('00081115').flatMap((series) => cut(series.text('0020000e')) || []),
    segments: [...segmentNamesIn(file)].map(([number, { name }]) => ({ number, name: cut(name) })),
  }
}

const storage = '1.2.840.10008.5.1.4.1.1.'
/** Outlines and doses lie over pictures; they are none. */
const overlaid: ReadonlySet<string> = new Set([`${storage}66.4`, `${storage}481.2`, `${storage}30`])

function noPicture(file: DicomFile): ViewReasonName | null {
  const sopClass = file.text('00080016') || file.text('00020002')
  return !file.has('00280010') || overlaid.has(sopClass) ? reasonWithoutPixels(file) : null
}

/** What our own browser writes in place of a number, another one for each patient. */
const replaced = /^ANON-[0-9A-F]{20}$/

function patientOf(file: DicomFile): string {
  const text = cut(file.text('00100020'))
  return replaced.test(text) || isSomebody(text) ? text : ''
}

function spacingOf(file: DicomFile): string {
  const [row, column] = file.numbers('00280030')
  const isTold = row !== undefined && column !== undefined && row > 0 && column > 0
  return isTold ? [column, row].map((side) => String(Math.round(side * 1000) / 1000)).join(' × ') : ''
}

const cut = (text: string): string => text.trim().slice(0, 128)
