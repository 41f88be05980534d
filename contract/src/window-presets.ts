/** Windows of DICOM by name. Free of schemas, so that pages can carry it. */
import type { DicomWindow } from './dicom-data.ts'

/** Of computed tomography, in Hounsfield units, as radiologists set them. */
export const windowPresets = {
  lung: { center: -600, width: 1500 },
  bone: { center: 500, width: 2000 },
  brain: { center: 40, width: 80 },
  softTissue: { center: 40, width: 400 },
} as const satisfies Record<string, DicomWindow>
