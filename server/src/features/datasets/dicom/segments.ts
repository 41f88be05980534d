/**
 * Masks from DICOM segmentations: each belongs to the series that its header names, and what its segments are called decides which
 * class they are, for their numbers mean something else in each file.
 */
import type { Problem } from '@neuroloom/contract/datasets'
import type { ViewNote } from '@neuroloom/contract/viewing'
import type { Context } from '../../../infra/context.ts'
import { type DicomPlan, deriveAll, type Headed, type Planned } from '../../files/service.ts'
import { inNaturalOrder } from '../recognise/class-folders.ts'
import type { GivenMasks } from '../recognise/shapes.ts'

export type SegmentMasks = {
  /** Null without any. */
  given: GivenMasks | null
  made: { path: string; sha256: string; sizeBytes: number }[]
  /** The segmentations behind each mask. */
  sources: ReadonlyMap<string, string[]>
  notes: { notes: readonly ViewNote[] }[]
  /** What stands in the way of segmentations that belong to a series. */
  problems: Problem[]
}

const BACKGROUND = 'background'
/** A byte a voxel tells so many apart. */
const MOST_VALUES = 255

export async function masksOfSegments(
  ctx: Context,
  { items, segmentations }: Pick<DicomPlan, 'items' | 'segmentations'>,
): Promise<SegmentMasks> {
  const ofSeries = bySeries(items, segmentations)
  const problems: Problem[] = []
  // The same file in several places counts once.
  const pathsOf = ({ file: { sha256 } }: Headed): string[] =>
    segmentations.flatMap(({ file }) => (file.sha256 === sha256 ? file.path : []))
  const sound = [...ofSeries].filter(([, own]) => {
    const twice = namedTwice(own)
    if (twice !== null)
      for (const path of own.flatMap(pathsOf))
        problems.push({ path, reason: 'dicom_segments_twice', params: { class: twice } })
    return twice === null
  })
  const names = [...new Set(sound.flatMap(([, own]) => own.flatMap(namesIn)))]
    .filter((name) => name !== BACKGROUND)
    .sort(inNaturalOrder)
  if (names.length === 0 || names.length > MOST_VALUES)
    return { given: null, made: [], sources: new Map(), notes: [], problems }
  const values = new Map([BACKGROUND, ...names].map((name, index) => [name, index]))
  const derived = await deriveAll(
    ctx,
    sound.map(([item, own]) => ({
      kind: 'segments' as const,
      window: null,
      segments: own.map((one) => valuesIn(one, values)),
      files: [...item.files, ...own.map(({ file }) => file)].map(({ path, sha256, sizeBytes }) => ({
        name: path.split('/').at(-1) ?? '',
        ...{ sha256, sizeBytes },
      })),
    })),
  )
  const masks = sound.flatMap(([item, own], index) => {
    const one = derived[index]
    if (one && 'sha256' in one) return [{ item, own, sha256: one.sha256, notes: one.notes }]
    const unfit = one?.unfit ?? { reason: 'dicom_unreadable' as const, params: {} }
    problems.push(...own.flatMap(pathsOf).map((path) => ({ path, ...unfit })))
    return []
  })
  return {
    given:
      masks.length === 0
        ? null
        : {
            pairs: masks.map(({ item }) => ({ image: item.path, label: maskPath(item) })),
            known: {
              classes: [BACKGROUND, ...names],
              maskValues: Object.fromEntries(
                [BACKGROUND, ...names].map((_, index) => [String(index), index]),
              ),
            },
          },
    made: masks.map(({ item, sha256 }) => ({ path: maskPath(item), sha256, sizeBytes: 0 })),
    sources: new Map(masks.map(({ item, own }) => [maskPath(item), own.flatMap(pathsOf)])),
    notes: masks,
    problems,
  }
}

/** No file is called so: no path begins with a slash. */
const maskPath = ({ path }: Planned): string => `/segments of ${path}`

/** A segmentation that several series could be meant by, or none, belongs to nothing. */
function bySeries(items: readonly Planned[], segmentations: readonly Headed[]): Map<Planned, Headed[]> {
  const found = new Map<Planned, Headed[]>()
  for (const one of segmentations) {
    const item = seriesOf(items, one)
    const own = item ? (found.get(item) ?? []) : []
    if (!item || own.some(({ file }) => file.sha256 === one.file.sha256)) continue
    found.set(item, [...own, one])
  }
  return found
}

function seriesOf(items: readonly Planned[], { head }: Headed): Planned | null {
  const { seriesUids = [], segments = [] } = head.segmentation ?? {}
  if (segments.length === 0) return null
  const named = items.filter((item) => seriesUids.includes(item.head.seriesUid))
  const inSpace = items.filter((item) => head.frameUid !== '' && item.head.frameUid === head.frameUid)
  const [item, ...others] = seriesUids.length > 0 ? named : inSpace
  if (!item || others.length > 0) return null
  const isOther = head.patient !== '' && item.head.patient !== '' && head.patient !== item.head.patient
  return isOther ? null : item
}

/** Several readers mark the same; which of them is right is not for us to say. */
function namedTwice(own: readonly Headed[]): string | null {
  const seen = new Set<string>()
  for (const one of own) {
    const names = new Set(namesIn(one).filter((name) => name !== BACKGROUND))
    for (const name of names) if (seen.has(name)) return name
    for (const name of names) seen.add(name)
  }
  return null
}

const namesIn = ({ head }: Headed): string[] => (head.segmentation?.segments ?? []).map(nameOf)

function nameOf({ number, name }: { number: number; name: string }): string {
  const told = name.normalize('NFC').trim()
  if (told.toLowerCase() === BACKGROUND) return BACKGROUND
  return told === '' ? `segment ${number}` : told
}

const valuesIn = ({ head }: Headed, values: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries(
    (head.segmentation?.segments ?? []).map((segment) => [
      String(segment.number),
      values.get(nameOf(segment)) ?? 0,
    ]),
  )
