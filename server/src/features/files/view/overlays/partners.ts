/** Which files near an image are called like its mask. By names alone: pure. */
import { maskWords, readWords } from '@neuroloom/contract/reading/pair-words'

type Named = { name: string; folder: string }

/** What a network said of the image. */
const predicted = /(^|_)pred(s|icted|ictions?)?(_|$)/

/** What both have in common in their names is the image's; the words of a mask stand in the file's name, or in its folder's. */
export function isLikely(image: Named, mask: Named): boolean {
  const own = readWords(stemOf(image.name).replace(/_0000$/, ''), maskWords)
  const other = readWords(stemOf(mask.name), maskWords)
  const isBeside = image.folder === mask.folder
  const around = readWords(mask.folder, maskWords)
  const isCalledMask =
    other.marks.has('label') ||
    predicted.test(other.rest) ||
    (!isBeside && (around.marks.has('label') || predicted.test(around.rest)))
  if (!isCalledMask || own.rest === '') return false
  // `case_7_liver_mask` is one of several of `case_7`, but `case_70_mask` is none.
  return other.rest === own.rest || other.rest.startsWith(`${own.rest}_`)
}

/** How such names begin, for a search among many. */
export const beginningOf = (name: string): string =>
  readWords(stemOf(name).replace(/_0000$/, ''), maskWords).rest.split('_')[0] ?? ''

/** Without the endings of images, one or two of them. */
export const stemOf = (name: string): string =>
  name.replace(
    /(\.(nii|gz|nrrd|nhdr|mha|mhd|dcm|dicom|ima|png|jpe?g|jfif|tiff?|bmp|gif|webp|pgm|ppm|mgz|mgh|npy|hdr|img|json|xml|txt|csv|tsv))+$/i,
    '',
  )

/** Of texts in which labels stand: COCO, YOLO, Pascal VOC, LabelMe, CVAT, tables. */
export const labelEndings = /\.(json|xml|txt|csv|tsv)$/i

/** What lists of the labels of many images are called, and what YOLO calls the names of its classes: for the database as well. */
export const labelWords = 'annot|coco|instances|label|box|keypoint|cvat|detect|predict|truth'
export const namesTables = '\\.(ya?ml|names)$|^(classes|labels|names|obj|predefined_classes)\\.txt$'

const lists = new RegExp(`(${labelWords}).*\\.(json|xml|csv|tsv)$`, 'i')
const tables = new RegExp(namesTables, 'i')
export const isLabelList = (name: string): boolean => lists.test(name)
export const isNamesTable = (name: string): boolean => tables.test(name)
