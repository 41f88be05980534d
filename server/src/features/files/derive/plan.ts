/** Which pictures or volumes DICOM files make, by what they say of themselves, and under which names. Reads no file. */

import type { Problem } from '@neuroloom/contract/datasets'
import type { DicomHead } from '../../../infra/reader/dicom/head.ts'
import { isNamedDicom } from './heads.ts'

type FileBelow = { path: string; sha256: string; sizeBytes: number }

/** What one file or one series becomes. */
export type Planned = {
  /** Where the PNG or the volume stands for whoever recognises folders by names. */
  path: string
  /** What members know it by: the file, or the folder of the series. */
  name: string
  files: FileBelow[]
  head: DicomHead
}

export type DicomPlan = {
  items: Planned[]
  problems: Problem[]
  /** Masks of series; each is among the problems, too, as it is no picture. */
  segmentations: Headed[]
  /** Paths of files that are DICOM, whatever became of them. */
  taken: ReadonlySet<string>
}

type Heads = ReadonlyMap<string, DicomHead | 'broken' | null>
export type Headed = { file: FileBelow; head: DicomHead }

type Wanted = {
  kind: 'picture' | 'volume'
  /** Folders whose name means something by itself to whoever gets the volumes: those lie in them. */
  isSide?: (folder: string) => boolean
}

export function planDicom(
  files: readonly FileBelow[],
  heads: Heads,
  { kind, isSide = () => false }: Wanted,
): DicomPlan {
  const problems: Problem[] = []
  const taken = new Set<string>()
  const pictures: Headed[] = []
  const segmentations: Headed[] = []
  for (const file of files) {
    const head = heads.get(file.sha256) ?? null
    if (head === null && !(heads.has(file.sha256) && isNamedDicom(file.path))) continue
    taken.add(file.path)
    if (head === null || head === 'broken') problems.push(problem(file.path, 'dicom_unreadable'))
    // Numbers of segments look like a picture, and are the mask of one.
    else if (head.noPicture !== null || (kind === 'volume' && head.segmentation)) {
      problems.push(problem(file.path, 'dicom_no_picture'))
      if (head.segmentation) segmentations.push({ file, head })
    } else pictures.push({ file, head })
  }
  const others = new Set(files.map(({ path }) => path))
  if (kind === 'picture') return { items: singles(pictures, others), problems, segmentations, taken }
  const sound = seriesOf(pictures).filter((series) => {
    const found = problemOf(series)
    if (found) problems.push(found)
    return found === null
  })
  return { items: volumes(sound, { others, isSide }), problems, segmentations, taken }
}

const problem = (path: string, reason: Problem['reason'], params: Problem['params'] = {}): Problem => ({
  path,
  reason,
  params,
})

const singles = (pictures: readonly Headed[], others: ReadonlySet<string>): Planned[] => {
  const used = new Set(others)
  return pictures.map(({ file, head }) => {
    const { path: name } = file
    const path = freePath([`${withoutEnding(name)}.png`, `${name}.png`], used)
    return { path, name, files: [file], head }
  })
}

/** `1.2.840.7` and `IM0001` have none. */
const withoutEnding = (path: string): string => path.replace(/\.(dcm|dicom|ima)$/i, '')

function freePath(wanted: readonly string[], used: Set<string>): string {
  const last = wanted.at(-1) ?? ''
  let free = wanted.find((path) => !used.has(path))
  for (let number = 2; free === undefined; number += 1) {
    const numbered = last.replace(/(\.png|\.nii\.gz)$/, `-${number}$1`)
    if (!used.has(numbered)) free = numbered
  }
  used.add(free)
  return free
}

/** Slices of one series in one folder; the same slice twice counts once. */
type Series = { folder: string; slices: Headed[]; isAlone: boolean }

function seriesOf(pictures: readonly Headed[]): Series[] {
  const found = new Map<string, Map<string, Headed[]>>()
  for (const picture of pictures) {
    const folder = folderOf(picture.file.path)
    const inFolder = found.get(folder) ?? new Map<string, Headed[]>()
    found.set(folder, inFolder)
    const key = picture.head.seriesUid || picture.file.path
    const slices = inFolder.get(key) ?? []
    if (!slices.some(({ file }) => file.sha256 === picture.file.sha256)) slices.push(picture)
    inFolder.set(key, slices)
  }
  return [...found].flatMap(([folder, inFolder]) =>
    [...inFolder.values()].map((slices) => ({ folder, slices, isAlone: inFolder.size === 1 })),
  )
}

/** What headers alone tell against a series. */
function problemOf(series: Series): Problem | null {
  const heads = series.slices.map(({ head }) => head)
  const path = nameOf(series)
  const patients = distinct(heads.map(({ patient }) => patient).filter((one) => one !== ''))
  if (patients.length > 1) return problem(path, 'dicom_two_patients', { count: patients.length })
  if (heads.some(({ isColour }) => isColour)) return problem(path, 'dicom_colour')
  const sizes = heads.map(({ columns, rows }) => `${columns} ${rows}`)
  if (distinct(sizes).length > 1) return problem(path, 'dicom_sizes', { count: fewer(sizes) })
  const [spacing, otherSpacing] = distinct(heads.map((head) => head.spacing))
  const isTwo = spacing !== undefined && otherSpacing !== undefined
  return isTwo ? problem(path, 'dicom_two_spacings', { spacing, otherSpacing }) : null
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** How many are not as most are. */
function fewer(texts: readonly string[]): number {
  const counts = distinct(texts).map((one) => texts.filter((text) => text === one).length)
  return texts.length - Math.max(...counts)
}

type Around = { others: ReadonlySet<string>; isSide: (folder: string) => boolean }

function volumes(series: readonly Series[], { others, isSide }: Around): Planned[] {
  const used = new Set(others)
  const withVolumes = new Set([...others].filter(isVolumeName).map(folderOf))
  const names = new Set<string>()
  return series.flatMap((one) => {
    const [first] = one.slices
    if (!first) return []
    const path = freePath([`${placeOf(one, { withVolumes, isSide })}.nii.gz`], used)
    const known = nameOf(one)
    const name = names.has(known) ? path : known
    names.add(name)
    return [{ path, name, files: one.slices.map(({ file }) => file), head: first.head }]
  })
}

/** A file of many slices stands for itself, a folder with one series for that. */
function placeOf(
  series: Series,
  { withVolumes, isSide }: { withVolumes: ReadonlySet<string>; isSide: Around['isSide'] },
): string {
  const { folder, slices, isAlone } = series
  const [first] = slices
  if (slices.length === 1 && first) return withoutEnding(first.file.path)
  if (!isAlone) return join(folder, `series-${numberOf(slices)}`)
  // `case1/images/…` beside `case1/masks/…`: there the folder says which side it is.
  // `case1/mask.nii.gz` beside the slices is of the same case, and a name in the same folder.
  return folder === '' || isSide(folder) || withVolumes.has(folder) ? join(folder, 'series') : folder
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

const numberOf = (slices: readonly Headed[]): string =>
  (slices[0]?.head.seriesNumber ?? '').replace(/[^\w-]+/g, '') || '1'

function nameOf({ folder, slices, isAlone }: Series): string {
  const [first] = slices
  if (slices.length === 1 || folder === '') return first?.file.path ?? ''
  return isAlone ? folder : join(folder, `series-${numberOf(slices)}`)
}

/** NIfTI, packed or not. */
const isVolumeName = (path: string): boolean => /[^/]\.nii(\.gz)?$/i.test(path)
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))
