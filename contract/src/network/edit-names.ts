/** New names for nodes, ports and blocks: readable ones, never one that already means something in the graph. */
import type { Vocabulary } from './canonical.ts'
import type { Document } from './document.ts'
import { exportedRefs, type Graph, graphOf, type Scope } from './edit-graph.ts'
import { refsOf } from './edit-slots.ts'
import { baseOf } from './order.ts'
import { idPattern } from './schema-map.ts'

const longest = 40

/** Hands out names and remembers them; a thousand copies of one node take no longer than a thousand names. */
export class Names {
  private readonly taken: Set<string>
  private readonly next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken)
  }

  isFree(name: string): boolean {
    return idPattern.test(name) && !this.taken.has(name)
  }

  /** `wanted` when it is free, else `wanted2`, `wanted3`, …; a name that ends with a digit gets `_2`. */
  make(wanted: string): string {
    const name = toId(wanted)
    if (!this.taken.has(name)) return this.take(name)
    const stem = /\d$/.test(name) ? `${name}_` : name
    for (let k = this.next.get(stem) ?? 2; ; k += 1) {
      const made = stem.slice(0, longest - String(k).length) + k
      if (this.taken.has(made)) continue
      this.next.set(stem, k + 1)
      return this.take(made)
    }
  }

  /** For a copy of `id`: `conv1` is followed by `conv2`, `relu6` (the operation) by `relu6_2`. */
  follow(id: string, op: string): string {
    const name = toId(id)
    if (!this.taken.has(name)) return this.take(name)
    const stem = name === op ? name : name.replace(/_?\d+$/, '')
    this.taken.add(stem)
    return this.make(stem)
  }

  take(name: string): string {
    this.taken.add(name)
    return name
  }
}

/** Everything that has a name in a graph, also what is only spoken of: a new node must not heal an old mistake. */
export function namesOf(document: Document, scope: Scope): Names {
  const graph = graphOf(document, scope)
  if (graph === null) return new Names([])
  return new Names([...namesIn(graph), ...exportedRefs(document, scope).map(baseOf)])
}

/** Whether a node or an input of this graph may be called so. */
export function isFreeName(document: Document, scope: Scope, name: string): boolean {
  const graph = graphOf(document, scope)
  if (graph === null || !idPattern.test(name) || name === 'in' || name === 'i') return false
  return !graph.nodes.has(name) && !graph.ports.includes(name) && !graph.params.has(name)
}

/** A local block must not take the name of anything in the library: it would change what others mean by it. */
export function blockNames(document: Document, { std, catalogue }: Vocabulary): Names {
  return new Names([...document.blocks.keys(), ...std.keys(), ...catalogue.keys()])
}

function* namesIn({ nodes, ports, params }: Graph): Iterable<string> {
  // Both mean something in expressions, and an input of a block may be made from any node's name.
  yield* ['in', 'i', ...ports, ...params.keys(), ...nodes.keys()]
  for (const node of nodes.values()) for (const ref of refsOf(node)) yield baseOf(ref)
}

/** The nearest text that is an id: `Block 1` becomes `block_1`. */
function toId(text: string): string {
  const id = text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
  return id === '' ? 'node' : id
}
