/** What the product under test would have sent: in the trial it lies in its data folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PATIENCE_MS } from './browser.ts'
import type { Product } from './stack.ts'

type Message = { kind: string; to: string; text: string; at: string }

export function outboxOf({ dataDir }: Product): Message[] {
  const folder = join(dataDir, 'outbox')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Message)
}

/** Of the newest message to this phone or address. */
export async function nextCode(product: Product, to: string): Promise<string> {
  const code = () =>
    /\b\d{6}\b/.exec(outboxOf(product).findLast((one) => one.to === to)?.text ?? '')?.[0] ?? ''
  await expect.poll(code, { message: `a code for ${to} in the outbox`, timeout: PATIENCE_MS }).not.toBe('')
  return code()
}
