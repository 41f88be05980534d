import { client, files as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileName, sendBytes } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { type Holder, holderClaims, verifyLink } from '../accounts/access.ts'
import { sendWhile } from '../files/service.ts'
import { projects } from '../projects/tables.ts'
import { requireRun } from './access.ts'
import { type RunRow, runArtifacts } from './tables.ts'

const RESULT_PATH = '/AI/api/runs/result'
const PICTURE_PATH = '/AI/api/runs/picture'

type Kind = (typeof runArtifacts.$inferSelect)['kind']

const types: Record<Kind, { ending: string; contentType: string }> = {
  weights: { ending: '.safetensors', contentType: 'application/octet-stream' },
  onnx: { ending: '.onnx', contentType: 'application/octet-stream' },
  torchscript: { ending: '.pt', contentType: 'application/octet-stream' },
  predictions_csv: { ending: '-predictions.csv', contentType: 'text/csv; charset=utf-8' },
  masks_zip: { ending: '-masks.zip', contentType: 'application/zip' },
  boxes_json: { ending: '-boxes.json', contentType: 'application/json' },
  images_zip: { ending: '-images.zip', contentType: 'application/zip' },
  flow_study: { ending: '-study.safetensors', contentType: 'application/octet-stream' },
  flow_mask_values: { ending: '-mask.safetensors', contentType: 'application/octet-stream' },
  flow_derived: { ending: '-derived.safetensors', contentType: 'application/octet-stream' },
  flow_lines: { ending: '-lines.vtp', contentType: 'application/octet-stream' },
  flow_training: { ending: '-results.json', contentType: 'application/json' },
  flow_numbers: { ending: '-numbers.json', contentType: 'application/json' },
  flow_mask: { ending: '-mask.nii.gz', contentType: 'application/gzip' },
  flow_angiogram: { ending: '-angiogram.nii.gz', contentType: 'application/gzip' },
}

/** Pages and downloads cannot send headers: signed addresses carry the right to these bytes for a while. */
export function addResultRoutes(app: FastifyInstance, ctx: Context): void {
  const options = { handlerTimeout: client.downloadTimeoutMs }
  app.get(RESULT_PATH, options, (request, reply) => sendResult(ctx, request, reply))
  app.get(PICTURE_PATH, (request, reply) => sendPicture(ctx, request, reply))
}

export function resultUrl(ctx: Context, holder: Holder, { id, kind }: { id: string; kind: Kind }): string {
  const claims = { kind: 'run-result', id, artifact: kind, ...holderClaims(holder) }
  return `${RESULT_PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** Of a picture that belongs to the run. */
export function pictureUrl(
  ctx: Context,
  holder: Holder,
  { id, sha256 }: { id: string; sha256: string },
): string {
  const claims = { kind: 'run-picture', id, sha256, ...holderClaims(holder) }
  return `${PICTURE_PATH}?${ctx.links.sign(claims, limits.thumbnailLinkMs)}`
}

const namesOf = {
  train: 'run',
  test: 'test',
  predict: 'prediction',
  flow: 'flow',
  flow_train: 'flow-training',
} as const satisfies Record<RunRow['kind'], string>

/** What a result is called on the member's own disk. */
export const resultName = async (ctx: Context, run: RunRow, kind: Kind): Promise<string> =>
  (await stemOf(ctx, run)) + types[kind].ending

/** The same without what tells the results of a run apart. */
export async function stemOf(ctx: Context, run: RunRow): Promise<string> {
  const [project] = await ctx.db
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.id, run.projectId))
  return fileName(`${project?.name ?? run.network}-${namesOf[run.kind]}-${run.number}`)
}

async function sendResult(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, userId, artifact } = await verifyLink(ctx, request.query, 'run-result')
  const find = () => requireRun(ctx.db, { id: userId }, id, 'view')
  // Looked at again now, and for as long as it is being sent.
  const run = await find()
  await sendWhile(ctx, reply, { ownerId: run.userId, check: find })
  const [row] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(eq(runArtifacts.runId, run.id))
    .then((rows) => rows.filter(({ kind }) => kind === artifact))
  if (!row) throw fail('missing')
  const { sha256, sizeBytes, kind } = row
  const name = await resultName(ctx, run, kind)
  const bytes = {
    sha256,
    sizeBytes,
    name,
    contentType: types[kind].contentType,
    disposition: 'attachment' as const,
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}

async function sendPicture(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id, userId, sha256 = '' } = await verifyLink(ctx, request.query, 'run-picture')
  await requireRun(ctx.db, { id: userId }, id, 'view')
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  if (!blob) return reply.code(404).header('cache-control', 'no-store').send()
  const { sizeBytes } = blob
  const bytes = {
    sha256,
    sizeBytes,
    name: 'picture.png',
    contentType: 'image/png',
    disposition: 'inline' as const,
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}
