/** The rules of the hash chain of audit events, and the check of a whole chain. Knows no database and no files. */
import * as z from 'zod'
import { ADDRESSES_REMOVED } from '../audit.ts'
import { canonicalJson, sha256Of } from '../canonical-json.ts'

const stateSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable()

/** A sealed event, as it is exported. */
export const chainEventSchema = z.strictObject({
  position: z.int(),
  id: z.int(),
  /** With all digits that the database has. */
  at: z.string(),
  actor: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  before: stateSchema,
  after: stateSchema,
  address: z.string(),
  /** Null once the address of an erased member was removed. */
  addressSalt: z.string().nullable(),
  addressHash: z.string(),
  hash: z.string(),
})
export type ChainEvent = z.infer<typeof chainEventSchema>

/** A position of the chain and the hash that belongs there. */
export type ChainLink = { position: number; hash: string }

export const addressHashOf = (address: string, salt: string | null): string =>
  sha256Of(canonicalJson([salt ?? '', address]))

/** Over the content of an event, its position and the hash of the event before it. */
export function eventHashOf(event: Omit<ChainEvent, 'hash'>, previousHash: string): string {
  const { position, id, at, actor, action, subject, before, after, addressHash } = event
  const content = { position, id, at, actor, action, subject, before, after, addressHash }
  return sha256Of(canonicalJson({ ...content, previousHash }))
}

/** What the signature of the last event covers. */
export const signedText = ({ position, hash }: ChainLink): string => `neuroloom audit ${position} ${hash}`

/** What is known about a chain from elsewhere: it must contain this event, or end with it. */
export type Anchor = ChainLink & { name: string; isEnd: boolean }

export type ChainResult = { count: number; problem: string | null }

/** Reads events in the order of their positions and names the first one that is not as it was sealed. */
export async function checkChain(
  events: AsyncIterable<ChainEvent> | Iterable<ChainEvent>,
  anchors: readonly Anchor[],
): Promise<ChainResult> {
  let last: ChainLink = { position: 0, hash: '' }
  const removals = new Removals()
  for await (const event of events) {
    const problem = problemOf(event, last) ?? anchorProblem(event, anchors)
    if (problem) return { count: last.position, problem }
    removals.add(event)
    last = event
  }
  return { count: last.position, problem: endProblem(last, anchors) ?? removals.problem() }
}

function problemOf(event: ChainEvent, last: ChainLink): string | null {
  const expected = last.position + 1
  if (event.position !== expected) return `event ${expected} is missing`
  const named = `event ${event.position} (row ${event.id}, ${event.action})`
  if (event.hash !== eventHashOf(event, last.hash)) return `${named} was changed`
  const isAddress =
    event.addressSalt === null
      ? event.address === ''
      : event.addressHash === addressHashOf(event.address, event.addressSalt)
  return isAddress ? null : `the address of ${named} was changed`
}

function anchorProblem({ position, hash }: ChainEvent, anchors: readonly Anchor[]): string | null {
  const broken = anchors.find((anchor) => anchor.position === position && anchor.hash !== hash)
  return broken ? `event ${position} is another one than ${broken.name} says` : null
}

function endProblem({ position }: ChainLink, anchors: readonly Anchor[]): string | null {
  const broken = anchors.find(
    (anchor) => anchor.position > position || (anchor.isEnd && anchor.position < position),
  )
  return broken ? `the chain ends with event ${position}, but ${broken.name} says ${broken.position}` : null
}

/** An address may be missing only where the chain also says that the member was erased. */
class Removals {
  private readonly erased = new Set<string>()
  private readonly missing = new Map<string, ChainEvent>()

  add(event: ChainEvent): void {
    if (event.action === ADDRESSES_REMOVED) this.erased.add(event.subject)
    if (event.addressSalt === null) this.missing.set(`${event.actor ?? ''} ${event.subject}`, event)
  }

  problem(): string | null {
    for (const { actor, subject, position, id } of this.missing.values()) {
      if (this.erased.has(subject) || this.erased.has(`user:${actor ?? ''}`)) continue
      return `the address of event ${position} (row ${id}) was removed, but its member was not erased`
    }
    return null
  }
}
