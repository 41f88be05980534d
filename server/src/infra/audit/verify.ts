/** Checks the audit chain in the database, and in an exported file without the database; writes that file. */
import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { auditEvents, auditHead } from '../audit.ts'
import { sha256Of } from '../canonical-json.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { newId } from '../ids.ts'
import { sync } from '../storage/files.ts'
import { textLines } from '../text-lines.ts'
import {
  type Anchor,
  type ChainEvent,
  type ChainResult,
  chainEventSchema,
  checkChain,
  signedText,
} from './chain.ts'
import { readChain } from './rows.ts'
import { readAnchor, type SignedLink, sealEvents } from './seal.ts'

type Verifying = Pick<Context, 'config' | 'db' | 'signer'>
type Verified = ChainResult & {
  /** Events that were committed a moment ago, or while no worker ran. */
  unsealed: number
}

/** Changes nothing. */
export async function verifyAudit(ctx: Verifying): Promise<Verified> {
  // Before the database is read: the chain only ever grows behind it.
  const anchor = await readAnchor(ctx.config.dataDir).catch(() => 'unreadable' as const)
  const snapshot = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const
  return ctx.db.transaction((tx) => verifyRows(tx, ctx.signer.publicKey, anchor), snapshot)
}

export async function verifyRows(
  db: Db,
  publicKey: string,
  anchor: SignedLink | 'unreadable' | null,
): Promise<Verified> {
  const unsealed = await db.$count(auditEvents, sql`position is null`)
  const heads = await db.select().from(auditHead)
  const [head] = heads
  if (!head || heads.length > 1)
    return { count: 0, unsealed, problem: 'the table audit_head has not one row' }
  const anchors: Anchor[] = [{ ...head, name: 'the table audit_head', isEnd: true }]
  if (anchor && anchor !== 'unreadable') anchors.push({ ...anchor, name: 'audit-head.json', isEnd: false })
  const { count, problem } = await checkChain(readChain(db), anchors)
  return { count, unsealed, problem: problem ?? anchorProblem(anchor, publicKey, count) }
}

function anchorProblem(
  anchor: SignedLink | 'unreadable' | null,
  publicKey: string,
  count: number,
): string | null {
  if (anchor === 'unreadable') return 'DATA_DIR/audit-head.json cannot be read'
  if (anchor === null) return count === 0 ? null : 'DATA_DIR/audit-head.json is missing'
  return isSigned(anchor, publicKey) ? null : 'DATA_DIR/audit-head.json has no signature of this server'
}

const isSigned = (link: SignedLink, publicKey: string): boolean =>
  verifySignature(
    null,
    Buffer.from(signedText(link)),
    createPublicKey(publicKey),
    Buffer.from(link.signature, 'base64'),
  )

/** The last line of an export. */
const endSchema = z.strictObject({
  end: z.strictObject({ position: z.int(), hash: z.string(), signature: z.string(), publicKey: z.string() }),
})

/** JSON lines: every sealed event, then the signed end. The file appears when it is complete. */
export async function exportAudit(ctx: Verifying & Pick<Context, 'log'>, path: string): Promise<number> {
  await sealEvents(ctx)
  const draft = `${path}.${newId()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    let last = { position: 0, hash: '' }
    for await (const event of readChain(ctx.db)) {
      await file.write(`${JSON.stringify(event)}\n`)
      last = { position: event.position, hash: event.hash }
    }
    const { publicKey } = ctx.signer
    const end = { ...last, signature: ctx.signer.sign(signedText(last)), publicKey }
    await file.write(`${JSON.stringify({ end })}\n`)
    await file.sync()
    await rename(draft, path)
    await sync(dirname(path))
    return last.position
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

/** By which key a file was signed, short enough to be compared by eye. */
const fingerprintOf = (publicKey: string): string => sha256Of(publicKey).slice(0, 16)

type VerifiedFile = ChainResult & { fingerprint: string }

/** `ownKey` is this server's public key; null where the file is checked elsewhere. */
export async function verifyFile(path: string, ownKey: string | null): Promise<VerifiedFile> {
  const lines = new ExportLines(path)
  const { count, problem } = await checkChain(lines.events(), [])
  const fingerprint = lines.end ? fingerprintOf(lines.end.publicKey) : ''
  return { count, fingerprint, problem: lines.problem ?? problem ?? endProblem(lines, count, ownKey) }
}

function endProblem({ end, last }: ExportLines, count: number, ownKey: string | null): string | null {
  if (!end) return `the file ends after event ${count}, without its signed last line`
  if (end.position !== count || end.hash !== last)
    return `the last line says ${end.position} events, ${count} are there`
  if (!isSoundlySigned(end)) return 'the signature of the last line is wrong'
  if (ownKey !== null && end.publicKey !== ownKey) return 'the file was signed by another server'
  return null
}

function isSoundlySigned(end: SignedLink & { publicKey: string }): boolean {
  try {
    return isSigned(end, end.publicKey)
  } catch {
    // No key at all.
    return false
  }
}

/** Reads an export line by line and remembers how it ended. */
class ExportLines {
  end: z.infer<typeof endSchema>['end'] | null = null
  /** The hash of the last event. */
  last = ''
  problem: string | null = null
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  async *events(): AsyncGenerator<ChainEvent> {
    let number = 0
    for await (const line of textLines(createReadStream(this.path))) {
      number += 1
      const value = parse(line)
      const event = chainEventSchema.safeParse(value)
      const end = endSchema.safeParse(value)
      if (this.end) {
        this.problem = `line ${number} stands behind the last line`
        return
      }
      if (event.success) {
        this.last = event.data.hash
        yield event.data
      } else if (end.success) this.end = end.data.end
      else {
        this.problem = `line ${number} is no event`
        return
      }
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
