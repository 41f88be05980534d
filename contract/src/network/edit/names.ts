/** New names for nodes, ports and blocks: readable ones, never one that already means something in the graph. */
import type { Vocabulary } from '../document/canonical.ts'
import type { Document } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { isId, notInId } from '../resolve/schema-map.ts'
import { exportedRefs, graphOf, type Scope } from './graph.ts'
import { refsOf } from './slots.ts'

const longest = 40

/** Hands out names and remembers them; a thousand copies of one node take no longer than a thousand names. */
export class Names {
  private readonly taken: Set<string>
  private readonly spoken: ReadonlySet<string>
  private readonly next = new Map<string, number>()

  /** `spoken`: references to nothing. A made name avoids them, so that no mistake heals by chance. */
  constructor(taken: Iterable<string>, spoken: Iterable<string> = []) {
    this.taken = new Set(taken)
    this.spoken = new Set(spoken)
  }

  /** `wanted` when it is free, else `wanted2`, `wanted3`, …; a name that ends with a digit gets `_2`. */
  make(wanted: string): string {
    const name = toId(wanted)
    if (this.isFree(name)) return this.take(name)
    const stem = /\d$/.test(name) ? `${name}_` : name
    for (let k = this.next.get(stem) ?? 2; ; k += 1) {
      const made = stem.slice(0, longest - String(k).length) + k
      if (!this.isFree(made)) continue
      this.next.set(stem, k + 1)
      return this.take(made)
    }
  }

  /** `id` itself when nothing has it; else the next one: `conv1` is followed by `conv2`, `relu6` (the operation) by `relu6_2`. */
  follow(id: string, op: string): string {
    const name = toId(id)
    if (!this.taken.has(name)) return this.take(name)
    const stem = name === op ? name : name.replace(/_?\d+$/, '')
    this.taken.add(stem)
    return this.make(stem)
  }

  release(name: string): void {
    this.taken.delete(name)
  }

  private isFree(name: string): boolean {
    return !this.taken.has(name) && !this.spoken.has(name)
  }

  private take(name: string): string {
    this.taken.add(name)
    return name
  }
}

/** Nodes, inputs and parameters share one space of names. */
export function namesOf(document: Document, scope: Scope): Names {
  const graph = graphOf(document, scope)
  if (graph === null) return new Names([])
  const { nodes, ports, params } = graph
  const spoken = [...nodes.values()].flatMap(refsOf).concat(exportedRefs(document, scope))
  // `in` and `i` mean something in expressions, and an input of a block may be made from any node's name.
  return new Names(['in', 'i', ...ports, ...params.keys(), ...nodes.keys()], spoken.map(baseOf))
}

/** Whether a node or an input of this graph may be called so. */
export function isFreeName(document: Document, scope: Scope, name: string): boolean {
  const graph = graphOf(document, scope)
  if (graph === null || !isId(name) || name === 'in' || name === 'i') return false
  return !graph.nodes.has(name) && !graph.ports.includes(name) && !graph.params.has(name)
}

/** A local block must not take the name of anything in the library: it would change what others mean by it. */
export function blockNames(document: Document, { std, catalogue }: Vocabulary): Names {
  return new Names([...document.blocks.keys(), ...std.keys(), ...catalogue.keys()])
}

/** The nearest text that is an id: `Block 1` becomes `block_1`. */
function toId(text: string): string {
  const id = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(notInId, '_')
    .replace(/^[_\p{M}\p{Nd}]+/u, '')
    .slice(0, longest)
  return isId(id) ? id : 'node'
}
