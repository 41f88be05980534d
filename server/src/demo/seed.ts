/**
 * Fills the demo member's account with two sample projects and a drawn network, through the same functions as a member's own upload: what a
 * visitor tries is what the product does. The pictures are drawn here; nothing real and nothing foreign is shipped.
 */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Task } from '@neuroloom/contract/task'
import { eq } from 'drizzle-orm'
import * as datasets from '../features/datasets/service.ts'
import { queueForgotten } from '../features/files/check-queue.ts'
import { uploads as uploadTable } from '../features/files/tables.ts'
import * as files from '../features/files/transfer/prepare.ts'
import { finish } from '../features/files/upload/finish.ts'
import { stagedPath, stagingFolder } from '../features/files/upload/uploads.ts'
import * as networks from '../features/networks/own.ts'
import * as versions from '../features/networks/versions.ts'
import * as projects from '../features/projects/service.ts'
import type { Caller } from '../http/access.ts'
import type { Context } from '../infra/context.ts'
import { sayer } from '../infra/texts.ts'
import { network } from './network.ts'
import { cellKinds, drawCell, drawField } from './pictures.ts'
import { encodePng } from './png.ts'

type Sample = { folder: string; project: string; description: string; task: Task; files: SampleFile[] }
type SampleFile = { path: string; bytes: Buffer }

type Say = ReturnType<typeof sayer>

const FIELDS = 48
const CELLS_PER_KIND = 40

export async function seedDemo(ctx: Context, caller: Caller): Promise<void> {
  const say = sayer('samples', caller.language)
  for (const sample of [fields(say), kinds(say)]) await seedSample(ctx, caller, sample)
  const { id } = await networks.create(ctx, { ...network, name: say('network') }, caller)
  await versions.keep(ctx, { id, note: say('networkNote') }, caller)
  // This process is about to let go of its context, before the gathered check would be sent.
  await queueForgotten(ctx)
}

async function seedSample(ctx: Context, caller: Caller, sample: Sample): Promise<void> {
  const { folderId, uploads } = await files.prepare(
    ctx,
    {
      parentId: null,
      sameName: 'overwrite',
      files: sample.files.map(({ path, bytes }) => ({
        path: `${sample.folder}/${path}`,
        sizeBytes: bytes.length,
      })),
    },
    caller,
  )
  await mkdir(stagingFolder(ctx), { recursive: true })
  for (const [index, uploadId] of uploads.entries()) {
    const bytes = sample.files[index]?.bytes
    if (uploadId !== null && bytes) await store(ctx, uploadId, bytes)
  }
  const { project: name, description, task } = sample
  const project = await projects.create(ctx, { name, description, task }, caller)
  if (folderId !== null)
    await datasets.recognise(ctx, { projectId: project.id, folderId, use: 'train' }, caller)
}

async function store(ctx: Context, uploadId: string, bytes: Buffer): Promise<void> {
  const [upload] = await ctx.db.select().from(uploadTable).where(eq(uploadTable.id, uploadId))
  if (!upload) throw new Error(`upload ${uploadId} is gone`)
  await writeFile(stagedPath(ctx, uploadId), bytes, { flush: true })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await finish(ctx, upload, sha256)
}

const fields = (say: Say): Sample => ({
  folder: say('fields.folder'),
  project: say('fields.project'),
  description: say('fields.description'),
  task: 'segmentation',
  files: Array.from({ length: FIELDS }, (_, index) => drawField(index + 1)).flatMap(
    ({ image, mask }, index) => [
      { path: `images/field-${number(index)}.png`, bytes: encodePng(image) },
      { path: `masks/field-${number(index)}.png`, bytes: encodePng(mask) },
    ],
  ),
})

const kinds = (say: Say): Sample => ({
  folder: say('kinds.folder'),
  project: say('kinds.project'),
  description: say('kinds.description'),
  task: 'classification',
  files: cellKinds.flatMap((kind, kindIndex) =>
    Array.from({ length: CELLS_PER_KIND }, (_, index) => ({
      path: `${kind}/cell-${number(index)}.png`,
      bytes: encodePng(drawCell(kind, 1 + index + 1000 * kindIndex)),
    })),
  ),
})

const number = (index: number): string => String(index + 1).padStart(3, '0')
