import { imageExtensions } from '@neuroloom/contract/engine'
import { isNamedImage } from '../../infra/reader/kinds.ts'
import type { PatientHint } from '../../infra/reader/patient-hint.ts'
import { extensionOf } from './names.ts'
import { mayNamePatient } from './patients/patient-sql.ts'

/** Raster images that browsers may show in place, by extension. Anything else is only ever downloaded. */
export const shownTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['jfif', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['bmp', 'image/bmp'],
])

const readable: ReadonlySet<string> = new Set(imageExtensions)

/** Whether it is worth having the engine look at a file of this name. */
export const isPictureName = (name: string): boolean => readable.has(extensionOf(name))

/** Volumes and DICOM, which is often named by a number or has no ending: the reading program may look at these. */
export const isScanName = (name: string): boolean =>
  !isPictureName(name) && (isNamedImage(name) || /^(\d*)$/.test(extensionOf(name)))

/** Whether it is worth looking for a small picture of it, or for the name of a patient in it. */
export const isWorthALook = (name: string, hint: PatientHint | null = null): boolean =>
  isPictureName(name) || isScanName(name) || mayNamePatient(name.toLowerCase(), hint)
