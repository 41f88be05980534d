/** The files of a folder as they are recognised: DICOM stands there as the pictures and volumes that were made of it. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { DicomWindow } from '@neuroloom/contract/dicom-data'
import { isHiddenPath } from '@neuroloom/contract/names/archive-names'
import { maskWords } from '@neuroloom/contract/reading/pair-words'
import type { Reading } from '@neuroloom/contract/reading/reading'
import { axesOf, type Task } from '@neuroloom/contract/task'
import type { ViewNote } from '@neuroloom/contract/viewing'
import type { Context } from '../../../infra/context.ts'
import {
  type Derived,
  type DicomPlan,
  deriveAll,
  dicomHeads,
  type FileBelow,
  mayBeDicom,
  type Planned,
  patientTeller,
  planDicom,
  type ToDerive,
} from '../../files/service.ts'
import { baseOf, folderSide } from '../recognise/folder-names.ts'
import type { Assembled, GivenMasks, Item } from '../recognise/shapes.ts'
import { masksOfSegments } from './segments.ts'

type Below = { files: FileBelow[]; emptyFolders: string[] }
type Asked = {
  below: Below
  ownerId: string
  task: Task | null
  reading: Reading
  /** Which of these are masks of pictures, by what names and tables say. */
  masksAmong: (paths: readonly string[]) => Promise<ReadonlySet<string>>
  onProgress: (done: number, total: number) => Promise<void>
}

type DicomRead = {
  files: FileBelow[]
  /** Masks made of segmentations; nobody knows them by these paths. */
  masks: { given: GivenMasks | null; files: FileBelow[] }
  /** Files of which nothing became a part of the data set. */
  problems: Problem[]
  /** How many files were DICOM. */
  count: number
  /** What was found, by members' own names, with patients where the files tell them. */
  finish: (found: Assembled) => Assembled
}

export async function readDicom(ctx: Context, asked: Asked): Promise<DicomRead> {
  const { below, ownerId, task, reading, masksAmong, onProgress } = asked
  const kind = kindFor(task)
  const plan = await planFor(ctx, below.files, kind)
  if (plan.taken.size === 0) {
    const masks = { given: null, files: [] }
    return { files: below.files, masks, problems: [], count: 0, finish: (found) => found }
  }
  const others = below.files.filter(({ path }) => !plan.taken.has(path))
  const masks =
    task === 'segmentation'
      ? await masksAmong([...others, ...plan.items].map(({ path }) => path))
      : new Set<string>()
  const isMask = ({ path }: Planned): boolean => masks.has(path)
  const wanted = plan.items.map((item) => toDerive(item, isMask(item) ? 'mask' : kind, reading.window))
  const derived = await deriveAll(ctx, wanted, {
    onProgress: (done) => onProgress(done, wanted.length),
  })
  const made = plan.items.flatMap((item, index) => madeOf(item, derived[index]))
  const teller = await patientTeller(ctx, ownerId)
  const patients = new Map(plan.items.map(({ path, head }) => [path, teller(head)]))
  const segments = await masksOfSegments(ctx, {
    items: plan.items.filter((_, index) => isMade(derived[index])),
    segmentations: task === 'volume_segmentation' ? plan.segmentations : [],
  })
  const names = new Map([
    ...plan.items.map(({ path, name }) => [path, name] as const),
    ...[...segments.sources].map(([path, [source = '']]) => [path, source] as const),
  ])
  const facts = {
    files: plan.taken.size,
    made: kind === 'picture' ? ('pictures' as const) : ('volumes' as const),
    grey: kind === 'picture' && plan.items.some((item) => !item.head.isColour && !isMask(item)),
    notes: countedNotes([...derived, ...segments.notes]),
  }
  const told = await withOverlays(ctx, plan.problems, below.files)
  const problems = [...told, ...plan.items.flatMap((item, index) => problemOf(item, derived[index]))]
  const problemsBut = (used: ReadonlySet<string>): Problem[] => {
    const explained = new Set([...segments.problems.map(({ path }) => path), ...used])
    return [...problems.filter(({ path }) => !explained.has(path)), ...segments.problems]
  }
  return {
    files: [...others, ...made].sort(byPath),
    masks: { given: segments.given, files: segments.made },
    problems: problemsBut(new Set()),
    count: plan.items.length,
    finish: (found) => {
      const used = new Set([...segments.sources].flatMap(([mask, own]) => (isTold(found, mask) ? own : [])))
      const told = withPatients(found.items, patients)
      return {
        ...found,
        items: told.map((item) => ({ ...item, name: names.get(item.image) ?? item.name })),
        problems: [...found.problems.map((one) => renamed(one, names)), ...problemsBut(used)],
        facts: found.facts && { ...found.facts, dicom: facts },
      }
    },
  }
}

/** Whether the mask of an item, or named among what is wrong. */
const isTold = ({ items, problems }: Assembled, mask: string): boolean =>
  items.some(({ label }) => label === mask) || problems.some(({ path }) => path === mask)

/** Masks and doses (DICOM SEG, RTDOSE) hold pixels that lie over pictures: that is said of them, with how many slices they have. */
async function withOverlays(
  ctx: Context,
  problems: readonly Problem[],
  files: readonly FileBelow[],
): Promise<Problem[]> {
  const known = new Map(files.map((file) => [file.path, file]))
  const silent = problems.flatMap(({ path, reason }) =>
    reason === 'dicom_no_picture' ? (known.get(path) ?? []) : [],
  )
  const heads = await dicomHeads(ctx, silent)
  return problems.map((problem) => {
    const head = heads.get(known.get(problem.path)?.sha256 ?? '')
    const isOverlay = problem.reason === 'dicom_no_picture' && head && head !== 'broken' && head.rows > 0
    if (!isOverlay) return problem
    return { ...problem, reason: 'dicom_overlay', params: { slices: head.frames } }
  })
}

/** Which files are DICOM, and what they make: for a data set, and for what a network is applied to. */
export async function planFor(
  ctx: Context,
  files: readonly FileBelow[],
  kind: 'picture' | 'volume',
): Promise<DicomPlan> {
  const candidates = files.filter(({ path }) => !isHiddenPath(path) && mayBeDicom(path))
  return planDicom(files, await dicomHeads(ctx, candidates), { kind, isSide: isSideFolder })
}

/** `images` and `masks` say which side of a case it is. */
export const isSideFolder = (folder: string): boolean => folderSide(baseOf(folder), maskWords)?.rest === ''

/** Networks of volumes read series, all others single pictures. */
export const kindFor = (task: Task | null): 'picture' | 'volume' =>
  task !== null && axesOf(task) === 3 ? 'volume' : 'picture'

export const toDerive = (
  { files }: Pick<Planned, 'files'>,
  kind: ToDerive['kind'],
  window: DicomWindow | null,
): ToDerive => ({
  kind,
  window,
  files: files.map(({ path, sha256, sizeBytes }) => ({
    name: path.split('/').at(-1) ?? '',
    sha256,
    sizeBytes,
  })),
})

/** The same thing said of several images once, with how many there are; numbers that differ between them apart. */
function countedNotes(
  derived: readonly (Derived | { notes: readonly ViewNote[] })[],
): { note: ViewNote; count: number }[] {
  const counted = new Map<string, { note: ViewNote; count: number }>()
  for (const one of derived)
    for (const note of 'notes' in one ? one.notes : []) {
      const key = JSON.stringify(note)
      counted.set(key, { note, count: (counted.get(key)?.count ?? 0) + 1 })
    }
  return [...counted.values()].sort((a, b) => b.count - a.count).slice(0, MOST_NOTES)
}

const MOST_NOTES = 20

const isMade = (derived: Derived | undefined): derived is Extract<Derived, { sha256: string }> =>
  derived !== undefined && 'sha256' in derived

const madeOf = ({ path }: Planned, derived: Derived | undefined): FileBelow[] =>
  isMade(derived) ? [{ path, sha256: derived.sha256, sizeBytes: 0 }] : []

const problemOf = ({ name }: Planned, derived: Derived | undefined): Problem[] =>
  derived && 'unfit' in derived ? [{ path: name, ...derived.unfit }] : []

/** What a table said of an item stands. */
const withPatients = (items: Item[], patients: ReadonlyMap<string, string | null>): Item[] =>
  items.map((item) => ({ ...item, patient: item.patient ?? patients.get(item.image) ?? null }))

function renamed(problem: Problem, names: ReadonlyMap<string, string>): Problem {
  const { path, params } = problem
  const { other } = params
  const known = typeof other === 'string' ? names.get(other) : undefined
  return {
    ...problem,
    path: names.get(path) ?? path,
    params: known === undefined ? params : { ...params, other: known },
  }
}

const byPath = (one: FileBelow, other: FileBelow): number => (one.path < other.path ? -1 : 1)
