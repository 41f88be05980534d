/** What follows from the network for each thing on the canvas: its shape, its mistakes, its share of the cost. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import { keptBytes } from '@neuroloom/contract/network/kept'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import { describeType } from '@neuroloom/contract/network/resolve/rules'
import { type Cost, costByPath } from '@neuroloom/contract/network/resolve/summary'
import type { Seen } from '@neuroloom/contract/networks'
import { canvasPath } from '../editor/paths.ts'
import type { EditorState, Heat } from '../editor/store.ts'
import type { Item } from './things.ts'

export interface Facts {
  /** `64×56×56`; '' while it waits. */
  shape: string
  mistakes: number
  warnings: number
  /** Share of the whole cost, from 0 to 1; null = not shown. */
  heat: number | null
  compared: 'added' | 'changed' | null
  seen: Seen | null
}
export type FactsOf = (item: Item) => Facts

type Source = Pick<EditorState, 'resolved' | 'heat' | 'compared' | 'seen' | 'vocabulary'>

/** One editor's facts: the same object as long as they say the same. */
export class FactsMaker {
  private last = new Map<string, { facts: Facts; type: TensorType | undefined }>()

  make({ resolved, heat, compared, seen, vocabulary }: Source): FactsOf {
    const mistakes = countsOf(resolved.errors)
    const warnings = countsOf(resolved.warnings)
    const costs = heat === 'off' ? null : costsOf(resolved, heat, vocabulary)
    const copies = typesOfCopies(resolved.types)
    return ({ path }) => {
      const type = resolved.types.get(path) ?? copies.get(path)
      const before = this.last.get(path)
      const facts: Facts = {
        shape: before !== undefined && before.type === type ? before.facts.shape : shapeOf(type),
        mistakes: mistakes.get(path) ?? 0,
        warnings: warnings.get(path) ?? 0,
        heat: costs === null ? null : (costs.get(path) ?? 0),
        compared: compared?.get(path) ?? null,
        seen: seen?.get(path) ?? null,
      }
      const kept = before !== undefined && isSame(before.facts, facts) ? before.facts : facts
      if (kept !== before?.facts || before.type !== type) this.last.set(path, { facts: kept, type })
      return kept
    }
  }
}

const shapeOf = (type: TensorType | undefined): string => (type === undefined ? '' : describeType(type))

/** A mistake counts for the node and for every block around it. */
function countsOf(problems: readonly { node: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { node } of problems) {
    const path = node.startsWith('heads.') ? node.split('.').slice(0, 2).join('.') : canvasPath(node)
    for (const around of withParents(path)) counts.set(around, (counts.get(around) ?? 0) + 1)
  }
  return counts
}

/** What the plan has in copies only, inside repeated nodes: the first one speaks. Outside it is the last one. */
function typesOfCopies(types: ReadonlyMap<string, TensorType>): Map<string, TensorType> {
  const found = new Map<string, TensorType>()
  for (const [path, type] of types) {
    if (!path.includes('/')) continue
    const name = canvasPath(path)
    if (name !== path && !found.has(name)) found.set(name, type)
  }
  return found
}

function costsOf(
  { nodes, types }: EditorState['resolved'],
  heat: Exclude<Heat, 'off'>,
  { catalogue }: Vocabulary,
): Map<string, number> {
  const inputs = [...types].flatMap(([path, type]): [string, TensorType][] =>
    path.startsWith('@') ? [[path.slice(1), type]] : [],
  )
  const kept =
    heat === 'memory'
      ? keptBytes(nodes, Object.fromEntries(inputs), catalogue).byNode
      : new Map<string, number>()
  const costs = costByPath(nodes, kept)
  const amount = (cost: Cost) => ({ parameters: cost.learn, macs: cost.macs, memory: cost.keptBytes })[heat]
  const whole = costs.get('')
  const total = whole === undefined ? 0 : amount(whole)
  const shares = new Map<string, number>()
  for (const [path, cost] of costs) {
    const name = canvasPath(path)
    // Copies of a repeated layer are one card.
    const isCopy = name !== path && costs.has(name)
    if (!isCopy && total > 0) shares.set(name, (shares.get(name) ?? 0) + amount(cost) / total)
  }
  return shares
}

function withParents(path: string): string[] {
  const steps = path.split('/')
  return steps.map((_, k) => steps.slice(0, k + 1).join('/'))
}

function isSame(a: Facts, b: Facts): boolean {
  return (
    a.shape === b.shape &&
    a.mistakes === b.mistakes &&
    a.warnings === b.warnings &&
    a.heat === b.heat &&
    a.compared === b.compared &&
    a.seen === b.seen
  )
}
