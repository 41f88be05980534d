import { client, files as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance } from 'fastify'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { sendShownBytes, sendWhile, type ViewRow } from '../../files/service.ts'
import { requireRun } from '../access.ts'
import { findLooked, imageOf } from './find.ts'

const PATH = '/AI/api/runs/shown'

/** Of what was made of an image or a mask of the run; of the image itself where nothing had to be made. */
export function lookUrl(
  ctx: Context,
  holder: Holder,
  { id, itemId, row: { key, answer } }: { id: string; itemId: string; row: ViewRow },
): string {
  const made = 'viewed' in answer ? answer.viewed.made : null
  const claims = {
    ...{ kind: 'run-shown', id, itemId, ...holderClaims(holder) },
    ...(made === null ? {} : { key, made }),
  }
  return `${PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** They end with the right to the run. */
export function addLookRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { handlerTimeout: client.downloadTimeoutMs }, async (request, reply) => {
    const { id, itemId = '', userId, key, made } = await verifyLink(ctx, request.query, 'run-shown')
    const find = () => requireRun(ctx.db, { id: userId }, id, 'view')
    const run = await find()
    await sendWhile(ctx, reply, { ownerId: run.userId, check: find })
    const { files } = await imageOf(ctx, await findLooked(ctx, run, itemId))
    const [file] = files
    if (!file) throw fail('missing')
    return sendShownBytes(ctx, { key, made, file }, { request, reply })
  })
}
