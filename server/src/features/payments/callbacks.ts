/** What providers tell: read raw, verified, and made true once. */
import { membership as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance } from 'fastify'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { requireSales } from './access.ts'
import { notifyPath, type ProviderMethod, providerOf } from './methods.ts'
import type { Callback } from './provider.ts'
import { settle } from './settle.ts'

/** Bodies stay as they came: signatures are of bytes. */
export async function addCallbacks(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'buffer', bodyLimit: limits.callbackBytes } as const
    scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
    for (const method of ['wechat', 'alipay'] as const) {
      scope.post(notifyPath(method), async ({ headers, body, ip }, reply) => {
        requireSales(ctx)
        const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const { status, type, body: said } = await receive(ctx, method, { headers, raw, address: ip })
        return reply.code(status).type(type).send(said)
      })
    }
  })
}

/** The answer that the provider understands. What cannot be verified is written down, and answered without a hint. */
export async function receive(
  ctx: Context,
  method: ProviderMethod,
  { address, ...callback }: Callback & { address: string },
): Promise<{ status: number; type: string; body: string }> {
  const provider = await providerOf(ctx, method)
  if (!provider) throw fail('not_found')
  const reported = await provider.read(callback).catch(async (error: unknown) => {
    ctx.log.warn({ err: error, method }, 'a callback of a payment was refused')
    await writeDown(ctx, { method, address })
    return 'refused' as const
  })
  if (reported === 'refused') return provider.answer(false)
  if (reported?.state !== 'paid') return provider.answer(true)
  const raw = callback.raw.toString('utf8')
  return provider.answer((await settle(ctx, reported, { method, raw, address })) !== null)
}

/** Minutes in which an address is in the record already: a flood of forgeries is one line a minute. */
const written = new Map<string, number>()

async function writeDown(
  { db, now }: Context,
  { method, address }: { method: ProviderMethod; address: string },
): Promise<void> {
  const minute = Math.floor(now().getTime() / limits.forgedMs)
  const key = `${method} ${address}`
  if (written.get(key) === minute) return
  if (written.size >= limits.forgedAddresses) written.clear()
  written.set(key, minute)
  await audit(db, { actor: null, action: 'payment.forged', subject: `payment:${method}`, address })
}
