/** Looks at files and makes studies of them, by the program that knows them: the reader of images, or the engine. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import type { FlowAnswer, FlowLook, FlowProblem } from '@neuroloom/contract/flow/study'
import { flowLimits as limits, viewing } from '@neuroloom/contract/limits'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { FlowDone } from '../../infra/engine/engine.ts'
import { read } from '../../infra/reader/reader.ts'
import { sideBySide } from '../../infra/side-by-side.ts'
import { filesInside } from '../files/service.ts'
import { kindOf, type SourceKind } from './kinds.ts'
import type { Source } from './sources.ts'

/** The file of the study, and the same by interpolation alone where a network made it finer; or what stands in the way of one. */
export type Made =
  | { path: string; interpolated?: string; problems: FlowProblem[] }
  | { refused: FlowProblem[] }

type At = { folder: string; signal: AbortSignal }
type LaidOut = { path: string; name: string; sizeBytes: number; kind: SourceKind }
type Reader = 'scanner' | 'arrays'

/** Linked side by side: one after the other, thousands from a store elsewhere take minutes. */
const AT_ONCE = 16

/** Under numbers, never under members' own names; in the order of these. */
async function layOut(ctx: Context, { sources, folder, signal }: Looking): Promise<LaidOut[]> {
  await mkdir(join(folder, 'in'))
  const laidOut: LaidOut[] = []
  await sideBySide(sources.entries(), AT_ONCE, async ([index, { name, sha256, sizeBytes }]) => {
    const path = join(folder, 'in', String(index))
    await ctx.storage.linkInto(sha256, path)
    laidOut[index] = { path, name, sizeBytes, kind: await kindOf(path, name) }
  })
  return takeApart(ctx, laidOut, { folder, signal })
}

/** What lies in archives stands beside the other files; one that cannot be opened, and archives in archives, stay what they are. */
async function takeApart(ctx: Context, files: LaidOut[], { folder, signal }: At): Promise<LaidOut[]> {
  const all: LaidOut[] = []
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  for (const [index, file] of files.entries()) {
    const own = join(folder, 'in', `${index}-inside`)
    if (file.kind === 'archive') await mkdir(own)
    const most = { files: limits.files - all.length, bytes: limits.sourceBytes - bytes }
    const inside =
      file.kind === 'archive' ? await filesInside(ctx, file, { folder: own, signal, most }) : null
    if (inside === null) {
      all.push(file)
      continue
    }
    for (const one of inside) {
      bytes += one.sizeBytes
      all.push({ ...one, name: `${file.name}/${one.name}`, kind: await kindOf(one.path, one.name) })
    }
  }
  return all
}

/** What each of the two gets; nobody, where nothing is for it. */
function filesFor(reader: Reader, files: readonly LaidOut[]): LaidOut[] {
  const has = (kind: SourceKind): boolean => files.some((file) => file.kind === kind)
  if (reader === 'arrays')
    return has('arrays') ? files.filter(({ kind }) => kind === 'arrays' || kind === 'beside') : []
  // DICOM may be without its sign; beside arrays nobody looks for that.
  const isMeant = has('scanner') || !has('arrays')
  return isMeant ? files.filter(({ kind }) => kind === 'scanner' || kind === 'unknown') : []
}

type Looking = At & { sources: Source[] }

/** Of a mix, what holds more velocities; the scanner's own files where both hold as many. */
export async function lookAt(ctx: WorkerContext, looking: Looking): Promise<FlowLook> {
  const { folder, signal } = looking
  const files = await layOut(ctx, looking)
  const looks: FlowLook[] = []
  for (const reader of ['scanner', 'arrays'] as const) {
    const own = filesFor(reader, files)
    if (own.length === 0) continue
    const look = await lookBy[reader](ctx, { files: own, folder, signal })
    looks.push({ ...look, leftOut: look.leftOut + files.length - own.length })
  }
  const best = looks.reduce(
    (one, other) => (velocitiesOf(other) > velocitiesOf(one) ? other : one),
    looks[0] ?? nothing(files.length),
  )
  const archives = files.filter(({ kind }) => kind === 'archive')
  const [first] = archives
  if (!first) return best
  const told = { name: first.name, count: archives.length }
  return { ...best, problems: [...best.problems, { reason: 'archive', params: told, isBlocking: false }] }
}

const nothing = (leftOut: number): FlowLook => ({
  ...{ source: 'dicom', vendor: null, series: [], spacing: null, times: null, period: null },
  ...{ gating: 'unknown', leftOut, problems: [{ reason: 'no_velocity', params: {}, isBlocking: true }] },
})

const velocitiesOf = ({ series }: FlowLook): number => series.filter(({ role }) => role === 'velocity').length

type Making = Looking & { look: FlowLook; answer: FlowAnswer }

/** By whom looked at them. */
export async function makeOf(
  ctx: WorkerContext,
  { sources, folder, signal, look, answer }: Making,
): Promise<Made> {
  const reader = look.source === 'dicom' || look.source === 'par_rec' ? 'scanner' : 'arrays'
  const files = filesFor(reader, await layOut(ctx, { sources, folder, signal }))
  return makeBy[reader](ctx, { files, look, answer, folder, signal })
}

export async function measurePhantom(
  ctx: WorkerContext,
  phantom: NonNullable<FlowDetail['phantom']>,
  at: At,
): Promise<Made> {
  return madeOf(await ctx.engine.flow({ do: 'phantom', ...phantom }, { ...at, timeMs: limits.makeMs }))
}

type Given = At & { files: LaidOut[] }

const lookBy: Record<Reader, (ctx: WorkerContext, given: Given) => Promise<FlowLook>> = {
  scanner: (ctx, { files, ...at }) =>
    read({ task: 'flowLook', files: namesOf(files) }, { ...at, ...patience(ctx, limits.lookMs) }),
  async arrays(ctx, { files, ...at }) {
    const work = { do: 'look', files: namesOf(files) } as const
    const done = await ctx.engine.flow(work, { ...at, timeMs: limits.lookMs })
    if ('look' in done) return done.look
    throw new Error('The engine did not say what it saw')
  },
}

type ToMake = Given & { look: FlowLook; answer: FlowAnswer }

const makeBy: Record<Reader, (ctx: WorkerContext, given: ToMake) => Promise<Made>> = {
  async scanner(ctx, { files, answer, folder, signal }) {
    const made = 'study.safetensors'
    const answered = await read(
      { task: 'flowMake', files: namesOf(files), answer, out: folder, made, limitBytes: viewing.fileBytes },
      { folder, signal, ...patience(ctx, limits.makeMs) },
    )
    return 'refused' in answered ? answered : { ...answered, path: join(folder, made) }
  },
  async arrays(ctx, { files, look, answer, ...at }) {
    const work = { do: 'make', files: namesOf(files), look, answer } as const
    return madeOf(await ctx.engine.flow(work, { ...at, timeMs: limits.makeMs }))
  },
}

export function madeOf(done: FlowDone): Made {
  if ('refused' in done) return done
  const [path, interpolated] = 'made' in done ? done.made : []
  if (path === undefined) throw new Error('The engine did not say what it made')
  return { path, problems: [], ...(interpolated === undefined ? {} : { interpolated }) }
}

const namesOf = (files: readonly LaidOut[]) => files.map(({ path, name }) => ({ path, name }))

/** Nobody waits at a page for it, so all others may come first. */
const patience = ({ log }: Context, timeMs: number) => ({ log, timeMs, mayWait: Number.POSITIVE_INFINITY })
