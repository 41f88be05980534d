/** One-click repairs of a problem: whole documents, each resolved before it is offered. */
import type { Vocabulary } from '../document/canonical.ts'
import type { Document, Head } from '../document/document.ts'
import { explicit } from '../edit/edit.ts'
import { classesIn } from '../resolve/heads.ts'
import type { PlanNode, TensorType } from '../resolve/plan.ts'
import type { ErrorCode, Problem, ProblemData, WarningCode } from '../resolve/problems.ts'
import { type Resolved, type ResolveOptions, resolve } from '../resolve/resolve.ts'
import { candidatesFor } from './candidates.ts'
import type { FixKind } from './kinds.ts'
import { type FixContext, levelsOf } from './place.ts'

export interface Fix {
  /** Locale key `fix.<kind>`, shown with `data`. */
  kind: FixKind
  data: ProblemData
  /** The document without the problem. */
  document: Document
  /** Learnable numbers more or less; null where nobody can tell: another mistake stays, or layers only waited for this one. */
  parameters: number | null
}

const mostFixes = 4
/** Each one is resolved; beyond this a list would come too late for a finger. */
const mostTried = 24

/**
 * Most useful first. What is offered removes the problem and makes no other; a mistake that only waited behind this
 * one may show itself, but such a repair comes after those that leave nothing.
 */
export function fixesFor(
  problem: Problem<ErrorCode | WarningCode>,
  document: Document,
  options: ResolveOptions,
): Fix[] {
  const vocabulary: Vocabulary = { catalogue: options.catalogue, std: options.std }
  const ready = explicit(document, vocabulary)
  const memory = options.memory ?? new Map()
  const before = resolve(ready, { ...options, memory })
  const levels = levelsOf(ready, vocabulary, problem.node)
  const context: FixContext = { problem, document: ready, vocabulary, options, before, levels }
  const known = knownOf(before)
  const found: Record<Rank, Fix[]> = { clean: [], revealing: [], last: [] }
  const seen = new Set<string>()
  let tried = 0
  for (const { kind, data, document: patched } of candidatesFor(context)) {
    if (found.clean.length >= mostFixes || tried >= mostTried) break
    const key = JSON.stringify([kind, data])
    if (patched === ready || seen.has(key)) continue
    tried += 1
    const after = resolve(patched, { ...options, memory })
    if (spoilsResult(context, patched, after)) continue
    const verdict = judge(problem, kind, { known, after })
    if (verdict === 'worse') continue
    seen.add(key)
    const fix = { kind, data, document: patched, parameters: difference(context, kind, after) }
    found[kind === 'remove_layer' && tried > 1 ? 'last' : verdict].push(fix)
  }
  return [...found.clean, ...found.revealing, ...found.last].slice(0, mostFixes)
}

/** To take the layer away helps nearly always, and is seldom what is wanted. */
type Rank = Exclude<Verdict, 'worse'> | 'last'
type Verdict = 'clean' | 'revealing' | 'worse'

/** What was wrong before, looked up quickly: a half-typed network may have thousands of mistakes. */
interface Known {
  before: Resolved
  places: ReadonlySet<string>
  /** The same mistake in a block is told at its first use only, so it may move to the next use. */
  contents: ReadonlySet<string>
  amber: ReadonlySet<string>
}

function knownOf(before: Resolved): Known {
  return {
    before,
    places: new Set(before.errors.map(placeOf)),
    contents: new Set(before.errors.map(contentOf)),
    amber: new Set(before.warnings.map(placeOf)),
  }
}

const placeOf = ({ code, node }: Problem<string>) => `${code} ${node}`
const contentOf = ({ code, data }: Problem<string>) => JSON.stringify([code, data])

function judge(
  problem: Problem<string>,
  kind: FixKind,
  { known, after }: { known: Known; after: Resolved },
): Verdict {
  const isSame = (other: Problem<string>) =>
    other.code === problem.code && other.node === problem.node && other.port === problem.port
  if (after.errors.some(isSame) || after.warnings.some(isSame)) return 'worse'
  const { before, places, contents, amber } = known
  const hasNewAmber = after.warnings.some((warning) => !amber.has(placeOf(warning)))
  if (before.plan !== null && hasNewAmber) return 'worse'
  const fresh = after.errors.filter((error) => !places.has(placeOf(error)) && !contents.has(contentOf(error)))
  if (fresh.length === 0) return 'clean'
  const changesInput = /^(insert|connect|use|keep)/.test(kind)
  const isBefore = problem.node !== ''
  const isNext = (error: Problem) =>
    before.waiting.some((path) => isAtOrBelow(error.node, path)) ||
    (isBefore && waitedHead(error, before)) ||
    // What a result has to be is known: a repair of it must be right at once.
    (changesInput && error.node === problem.node && !problem.node.startsWith('heads.'))
  return fresh.every(isNext) ? 'revealing' : 'worse'
}

/**
 * A result with another number of channels than there are classes, which was not there before: 128 numbers for 3 classes
 * are no repair. A result that only waited behind the mistake is no work of the repair.
 */
function spoilsResult(
  { document, before, problem, options }: FixContext,
  patched: Document,
  after: Resolved,
): boolean {
  const classes = classesIn(patched, options.data)
  if (classes === undefined) return false
  return [...patched.heads].some(([name, head]) => {
    const [was, is] = [resultOf(document.heads.get(name), before), resultOf(head, after)]
    if (is === undefined || is === classes || is === was) return false
    const hasWaited = was === undefined && document.heads.get(name)?.from === head.from
    return !hasWaited || problem.node.startsWith(`heads.${name}`)
  })
}

/** Channels of a result that has one for each class; undefined while they are not known, or of another kind. */
function resultOf(head: Head | undefined, { types }: Resolved): number | undefined {
  if (typeof head?.from !== 'string') return undefined
  const type = types.get(head.from) ?? types.get(`@${head.from}`)
  const kind = kindsOfResult[head.task]
  return type?.k === kind ? type?.c : undefined
}

const kindsOfResult: Readonly<Record<string, TensorType['k']>> = {
  classification: 'vec',
  segmentation: 'map',
}

function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`)
}

/** A head is looked at only once what it reads has a result. */
function waitedHead({ code, node }: Problem, before: Resolved): boolean {
  const isShape = code === 'wrong_kind' || code === 'head_classes' || code === 'head_size'
  return (
    isShape && node.startsWith('heads.') && before.errors.some((error) => !error.node.startsWith('heads.'))
  )
}

/** Repairs that offer another layer: what it costs decides between them. */
const adds = /^(insert|add|use|keep_picture)/

/**
 * Exact where nothing waited for the mistake. Else only a layer that is added has a price: itself, and what the layer
 * of the problem costs behind it.
 */
function difference(context: FixContext, kind: FixKind, after: Resolved): number | null {
  const { before, document, vocabulary, problem } = context
  if (after.plan === null) return null
  if (before.plan !== null) return after.plan.learn - before.plan.learn
  const known = new Set(before.nodes.map(({ id }) => id))
  const owned = after.nodes.filter(({ share }) => share === null)
  const fresh = owned.filter(({ id }) => !known.has(id))
  const isAdded = (id: string) => levelsOf(document, vocabulary, id).length === 0
  const counted = fresh.filter(({ id }) => isAtOrBelow(id, problem.node) || isAdded(id))
  const isExact = fresh.every(({ id }) => isAdded(id))
  if (!isExact && !adds.test(kind)) return null
  const sum = (nodes: readonly PlanNode[]) => nodes.reduce((all, { learn }) => all + learn, 0)
  const stayed = owned.filter(({ id }) => known.has(id))
  return sum(counted) + sum(stayed) - sum(before.nodes.filter(({ share }) => share === null))
}
