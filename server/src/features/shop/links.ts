/** The weights of a model that was bought, as safetensors: numbers by name, nothing to execute. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../http/access.ts'
import { fileName, sendBytes } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { sendWhile } from '../files/service.ts'
import { heldBy, type Model, requireHeld } from './access.ts'
import { keepTaken } from './use.ts'

const PATH = '/AI/api/shop/file'
const KIND = 'shop-weights'

export function addWeightsRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { handlerTimeout: client.downloadTimeoutMs }, (request, reply) => send(ctx, request, reply))
}

export async function weights(
  ctx: Context,
  { id }: Parsed<'shop/weights'>,
  caller: Caller,
): Promise<Answer<'shop/weights'>> {
  const model = await requireOwned(ctx, caller.user, id)
  await keepTaken(ctx, caller.user, model.version)
  const claims = { kind: KIND, id, version: String(model.version.number), ...holderClaims(caller) }
  return {
    url: `${PATH}?${ctx.links.sign(claims, limits.linkMs)}`,
    name: nameOf(model),
    sizeBytes: model.version.weightsBytes,
  }
}

const nameOf = ({ listing, version }: Model): string =>
  fileName(`${listing.name}-${version.number}.safetensors`)

/** A free place ends with the membership, and what was given is its seller's: neither is taken away. */
async function requireOwned(ctx: Context, user: { id: string }, id: string): Promise<Model> {
  const model = await requireHeld(ctx, user, id)
  const way = (await heldBy(ctx, ctx.db, user.id)).get(id)
  if (way === 'place' || way === 'given') throw fail('model_not_bought')
  return model
}

async function send(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, userId } = await verifyLink(ctx, request.query, KIND)
  // Looked at again now, and for as long as it is being sent.
  const find = () => requireOwned(ctx, { id: userId }, id)
  const model = await find()
  await sendWhile(ctx, reply, { ownerId: userId, check: find })
  const bytes = {
    sha256: model.version.weightsSha256,
    sizeBytes: model.version.weightsBytes,
    name: nameOf(model),
    contentType: 'application/octet-stream',
    disposition: 'attachment' as const,
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}
