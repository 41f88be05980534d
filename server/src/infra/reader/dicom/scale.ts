/** What a DICOM file says of its scale beside numbers: where pixels were measured, and the regions of ultrasound. */
import type { ImageFacts, ViewNote } from '@neuroloom/contract/viewing'
import { decimalNotes } from '../decimals.ts'
import type { DicomFile, Group } from './file.ts'

/** Pictures in which rays spread from a point: what lies nearer to the detector is shown smaller. */
const projected: ReadonlySet<string> = new Set(['CR', 'DX', 'MG', 'IO', 'PX', 'RF', 'XA', 'RG', 'DR'])

/** PS3.3, 10.7.1.3: pixels measured at the detector are not those of the body, unless somebody calibrated them. */
export function scaleNotes(file: DicomFile): ViewNote[] {
  const own = file.numbers('00280030')
  const detector = file.numbers('00181164')
  // Whatever made it: lengths are taken from the detector's pixels where nothing else is said.
  const isAlone = own.length < 2 && detector.length >= 2 && !file.has(SHARED_GROUPS)
  if (!projected.has(file.text('00080060')) && !isAlone) return []
  if (own.length < 2 && detector.length < 2) return []
  const isCalibrated = file.text('00280a02') !== ''
  const isSame = own.length < 2 || detector.length < 2 || own.every((step, at) => step === detector[at])
  return [{ name: isSame && !isCalibrated ? 'spacing_detector' : 'spacing_calibrated', params: {} }]
}

/** Decimal strings that decide what values mean and where they lie, as they stand at the top of a file. */
const decimals: readonly [tag: string, name: string][] = [
  ['00281053', 'Rescale Slope'],
  ['00281052', 'Rescale Intercept'],
  ['00280030', 'Pixel Spacing'],
  ['00180050', 'Slice Thickness'],
  ['00200032', 'Image Position'],
  ['00200037', 'Image Orientation'],
  ['00281050', 'Window Center'],
  ['00281051', 'Window Width'],
  ['3004000e', 'Dose Grid Scaling'],
]

export const numberNotes = (files: readonly DicomFile[]): ViewNote[] =>
  decimalNotes(files.flatMap((file) => decimals.map(([tag, name]) => [name, textsOf(file, tag)] as const)))

const textsOf = (file: DicomFile, tag: string): string[] => {
  const { vr = '' } = file.element(tag) ?? {}
  return vr === '' || vr === 'DS' ? file.text(tag).split('\\') : []
}

/** PS3.3, 10.7.1.1: height to width of a pixel, where no size is given; 1 where the file says nothing of it. */
export function pixelAspectOf(file: DicomFile): number {
  const [height = 1, width = 1] = file.numbers('00280034')
  const aspect = height / width
  return Number.isFinite(aspect) && aspect > 0 ? aspect : 1
}

/** Of many frames, in which the size of pixels may stand too. */
const SHARED_GROUPS = '52009229'

/** PS3.3, C.8.5.5: parts of an ultrasound picture; none where no part is told in centimetres. */
export function regionsOf(file: DicomFile): ImageFacts['regions'] {
  const found = file.items('00186011').flatMap((item) => {
    const [left, top, right, bottom] = ['00186018', '0018601a', '0018601c', '0018601e'].map(
      (tag) => item.numbers(tag)[0],
    )
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return []
    const box: ImageFacts['regions'][number]['box'] = [left, top, right, bottom]
    return box.every((side) => Number.isInteger(side) && side >= 0) ? [{ box, spacing: spacingOf(item) }] : []
  })
  return found.some(({ spacing }) => spacing !== null) ? found : []
}

const CENTIMETRES = 3

function spacingOf(item: Group): [number, number] | null {
  const number = (tag: string): number => item.numbers(tag)[0] ?? 0
  if (number('00186024') !== CENTIMETRES || number('00186026') !== CENTIMETRES) return null
  const [x, y] = [Math.abs(number('0018602c')) * 10, Math.abs(number('0018602e')) * 10]
  return x > 0 && y > 0 && Number.isFinite(x + y) ? [x, y] : null
}
