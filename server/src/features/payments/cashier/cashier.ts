/** The provider of the trial: a folder of orders, and a page on which they are paid. No money moves. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { membership as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { equal } from '../../../infra/links.ts'
import { type Callback, type Provider, ProviderError, type Reported } from '../provider.ts'

const MAC = 'cashier-mac'

const recordSchema = z.object({
  orderNo: z.string().regex(/^[0-9]{20}$/),
  subject: z.string(),
  amountFen: z.int(),
  expiresAt: z.coerce.date(),
  state: z.enum(['waiting', 'paid', 'closed', 'refunded']),
  paidAt: z.coerce.date().nullable(),
})
export type CashierRecord = z.infer<typeof recordSchema>

const reportedSchema = z.object({
  orderNo: z.string(),
  state: z.enum(['waiting', 'paid', 'closed', 'refunded']),
  transactionId: z.string(),
  amountFen: z.int(),
  currency: z.string(),
  paidAt: z.coerce.date().nullable(),
})

type Parts = Pick<Context, 'config' | 'links' | 'now'>

/** The links that it makes open the page of one order. */
export const CASHIER_PATH = '/dev/cashier'

export function createCashier(parts: Parts): Provider {
  const { links, now } = parts
  return {
    async request({ orderNo, amountFen, subject, expiresAt }) {
      const known = await readRecord(parts, orderNo)
      if (!known)
        await writeRecord(parts, { orderNo, amountFen, subject, expiresAt, state: 'waiting', paidAt: null })
      const claims = { kind: 'cashier', id: orderNo, userId: 'anyone' }
      // Links are rounded down: this one lives as long as the order at the least.
      return `${CASHIER_PATH}?${links.sign(claims, 2 * limits.orderMs)}`
    },
    async ask(orderNo) {
      const record = await readRecord(parts, orderNo)
      return record && reportOf(record, now())
    },
    async close(orderNo) {
      const record = await readRecord(parts, orderNo)
      if (record?.state === 'paid') throw new ProviderError('it is paid')
      if (record?.state === 'waiting') await writeRecord(parts, { ...record, state: 'closed' })
    },
    async refund({ orderNo }) {
      const record = await readRecord(parts, orderNo)
      if (!record || record.state === 'waiting') throw new ProviderError('nothing was paid')
      await writeRecord(parts, { ...record, state: 'refunded' })
      return 'done'
    },
    async read({ headers, raw }) {
      const text = raw.toString('utf8')
      if (!equal(String(headers[MAC] ?? ''), links.mac(MAC, text)))
        throw new ProviderError('the signature is wrong')
      return reportedSchema.parse(JSON.parse(text))
    },
    answer: (isHeard) => ({ status: isHeard ? 200 : 400, type: 'text/plain', body: isHeard ? 'ok' : 'no' }),
  }
}

/** Somebody presses "pay"; pressed again, it is the same payment. Null where the order cannot be paid any more. */
export async function payAtCashier(parts: Parts, orderNo: string): Promise<Callback | null> {
  const record = await readRecord(parts, orderNo)
  if (!record) return null
  const isOpen = record.state === 'waiting' && record.expiresAt > parts.now()
  if (!isOpen && record.state !== 'paid') return null
  const paid = isOpen ? { ...record, state: 'paid' as const, paidAt: parts.now() } : record
  if (isOpen) await writeRecord(parts, paid)
  return callbackOf(parts, reportOf(paid, parts.now()))
}

/** As it tells of a payment, signed. */
export function callbackOf({ links }: Pick<Parts, 'links'>, reported: Reported): Callback {
  const text = JSON.stringify(reported)
  return { headers: { [MAC]: links.mac(MAC, text) }, raw: Buffer.from(text) }
}

/** Null where there is no such order. */
export async function readRecord(
  parts: Pick<Parts, 'config'>,
  orderNo: string,
): Promise<CashierRecord | null> {
  const text = await readFile(pathOf(parts, orderNo), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : recordSchema.parse(JSON.parse(text))
}

function reportOf({ orderNo, state, amountFen, paidAt, expiresAt }: CashierRecord, now: Date): Reported {
  return {
    orderNo,
    state: state === 'waiting' && expiresAt <= now ? 'closed' : state,
    transactionId: paidAt === null ? '' : `trial-${orderNo}`,
    amountFen,
    currency: 'CNY',
    paidAt,
  }
}

async function writeRecord(parts: Pick<Parts, 'config'>, record: CashierRecord): Promise<void> {
  await mkdir(folderOf(parts), { recursive: true })
  const path = pathOf(parts, record.orderNo)
  const draft = `${path}.${newId()}`
  await writeFile(draft, JSON.stringify(recordSchema.parse(record)))
  await rename(draft, path)
}

const folderOf = ({ config }: Pick<Parts, 'config'>): string => join(config.dataDir, 'cashier')

function pathOf(parts: Pick<Parts, 'config'>, orderNo: string): string {
  if (!recordSchema.shape.orderNo.safeParse(orderNo).success) throw new ProviderError('no order number')
  return join(folderOf(parts), `${orderNo}.json`)
}
