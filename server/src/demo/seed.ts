/**
 * Makes sample projects through the same functions as a member's own upload: what a visitor tries is what the product does.
 * The demo member has both of them and a drawn network from the start, everybody else asks for one. The pictures are drawn
 * here; nothing real and nothing foreign is shipped.
 */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type SampleKind, sampleKinds } from '@neuroloom/contract/demo/samples'
import type { Task } from '@neuroloom/contract/task'
import { and, eq, isNull } from 'drizzle-orm'
import * as datasets from '../features/datasets/service.ts'
import { queueForgotten } from '../features/files/check-queue.ts'
import { uploads as uploadTable } from '../features/files/tables.ts'
import * as files from '../features/files/transfer/prepare.ts'
import { finish } from '../features/files/upload/finish.ts'
import { stagedPath, stagingFolder } from '../features/files/upload/uploads.ts'
import * as networks from '../features/networks/own.ts'
import * as versions from '../features/networks/versions.ts'
import * as projects from '../features/projects/service.ts'
import { projects as projectTable } from '../features/projects/tables.ts'
import type { Caller } from '../http/access.ts'
import { makeBreath } from '../infra/aside/slices.ts'
import type { Context } from '../infra/context.ts'
import { sayer } from '../infra/texts.ts'
import { network } from './network.ts'
import { cellKinds, drawCell, drawField } from './pictures.ts'
import { encodePng } from './png.ts'

type Sample = {
  folder: string
  project: string
  description: string
  task: Task
  /** One picture after the other: drawing all takes about a second of the processor. */
  files: () => Iterable<SampleFile>
}
type SampleFile = { path: string; bytes: Buffer }

type Say = ReturnType<typeof sayer>

const FIELDS = 48
const CELLS_PER_KIND = 40

export async function seedDemo(ctx: Context, caller: Caller): Promise<void> {
  const say = sayer('samples', caller.language)
  for (const kind of sampleKinds) await seedSample(ctx, caller, samples[kind](say))
  const { id } = await networks.create(ctx, { ...network, name: say('network') }, caller)
  await versions.keep(ctx, { id, note: say('networkNote') }, caller)
  // This process is about to let go of its context, before the gathered check would be sent.
  await queueForgotten(ctx)
}

/** The project that is there already, or a new one: pressed twice it is one. */
export async function createSample(
  ctx: Context,
  { kind }: Parsed<'samples/create'>,
  caller: Caller,
): Promise<Answer<'samples/create'>> {
  const sample = samples[kind](sayer('samples', caller.language))
  const own = and(eq(projectTable.ownerId, caller.user.id), eq(projectTable.name, sample.project))
  const [known] = await ctx.db
    .select({ id: projectTable.id })
    .from(projectTable)
    .where(and(own, isNull(projectTable.recycledAt)))
  if (known) return { projectId: known.id }
  // Before anything is stored that would then belong to no project.
  await ctx.db.transaction((tx) => projects.requireRoom(ctx, tx, caller))
  return { projectId: await seedSample(ctx, caller, sample) }
}

async function seedSample(ctx: Context, caller: Caller, sample: Sample): Promise<string> {
  const drawn: SampleFile[] = []
  const breath = makeBreath()
  for (const file of sample.files()) {
    drawn.push(file)
    await breath()
  }
  const { folderId, uploads } = await files.prepare(
    ctx,
    {
      parentId: null,
      sameName: 'overwrite',
      files: drawn.map(({ path, bytes }) => ({
        path: `${sample.folder}/${path}`,
        sizeBytes: bytes.length,
      })),
    },
    caller,
  )
  await mkdir(stagingFolder(ctx), { recursive: true })
  for (const [index, uploadId] of uploads.entries()) {
    const bytes = drawn[index]?.bytes
    if (uploadId !== null && bytes) await store(ctx, uploadId, bytes)
  }
  const { project: name, description, task } = sample
  const project = await projects.create(ctx, { name, description, task }, caller)
  if (folderId !== null)
    await datasets.recognise(ctx, { projectId: project.id, folderId, use: 'train' }, caller)
  return project.id
}

async function store(ctx: Context, uploadId: string, bytes: Buffer): Promise<void> {
  const [upload] = await ctx.db.select().from(uploadTable).where(eq(uploadTable.id, uploadId))
  if (!upload) throw new Error(`upload ${uploadId} is gone`)
  await writeFile(stagedPath(ctx, uploadId), bytes, { flush: true })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await finish(ctx, upload, sha256)
}

const samples: Record<SampleKind, (say: Say) => Sample> = {
  fields: (say) => ({
    folder: say('fields.folder'),
    project: say('fields.project'),
    description: say('fields.description'),
    task: 'segmentation',
    *files() {
      for (let index = 0; index < FIELDS; index += 1) {
        const { image, mask } = drawField(index + 1)
        yield { path: `images/field-${number(index)}.png`, bytes: encodePng(image) }
        yield { path: `masks/field-${number(index)}.png`, bytes: encodePng(mask) }
      }
    },
  }),
  kinds: (say) => ({
    folder: say('kinds.folder'),
    project: say('kinds.project'),
    description: say('kinds.description'),
    task: 'classification',
    *files() {
      for (const [kindIndex, kind] of cellKinds.entries())
        for (let index = 0; index < CELLS_PER_KIND; index += 1) {
          const picture = drawCell(kind, 1 + index + 1000 * kindIndex)
          yield { path: `${kind}/cell-${number(index)}.png`, bytes: encodePng(picture) }
        }
    },
  }),
}

const number = (index: number): string => String(index + 1).padStart(3, '0')
