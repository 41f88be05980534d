/** Finds for each name of a document the name that it had before: renamed things keep their lines and comments. */
import type { Block, Document, Node } from '../document/document.ts'
import { isRecord } from '../resolve/schema-map.ts'

/** New name to old name, for each map of names. */
export interface Match {
  names: ReadonlyMap<string, string>
  child: (key: string) => Match
}
export const nothing: Match = { names: new Map(), child: () => nothing }

export function matchDocument(before: Document, after: Document): Match {
  const blocks = matchNames(before.blocks, after.blocks, (a, b) => a.nodes.size === b.nodes.size)
  const ofBlock = (name: string): Match => {
    const [old, next] = [before.blocks.get(blocks.get(name) ?? ''), after.blocks.get(name)]
    return old === undefined || next === undefined ? nothing : matchGraph(old, next)
  }
  const graph = matchGraph(before, after)
  const inputs = flat(matchNames(before.inputs, after.inputs))
  const heads = flat(matchNames(before.heads, after.heads))
  return {
    names: new Map(),
    child: (key) => {
      if (key === 'blocks') return { names: blocks, child: ofBlock }
      if (key === 'inputs') return inputs
      return key === 'heads' ? heads : graph.child(key)
    },
  }
}

type Graph = Pick<Block, 'params' | 'nodes' | 'outputs'>

function matchGraph(before: Graph, after: Graph): Match {
  const params = flat(matchNames(before.params, after.params))
  const nodes = flat(matchNames(before.nodes, after.nodes, isAlike))
  const outputs = flat(matchNames(before.outputs ?? new Map(), after.outputs ?? new Map()))
  return {
    names: new Map(),
    child: (key) => {
      if (key === 'params') return params
      if (key === 'nodes') return nodes
      return key === 'outputs' ? outputs : nothing
    },
  }
}

/** The same layer under another name; what it reads may have been renamed too. */
function isAlike(a: Node, b: Node): boolean {
  return a.op === b.op && a.repeat === b.repeat && same([...a.params], [...b.params])
}

function flat(names: Match['names']): Match {
  return { names, child: () => nothing }
}

/** The same names, and new names that stand where an old one has gone: comments stay with what was renamed. */
function matchNames<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isAlike: (a: T, b: T) => boolean = same,
): Map<string, string> {
  const [old, next] = [[...before.keys()], [...after.keys()]]
  const names = new Map(next.filter((key) => before.has(key)).map((key) => [key, key]))
  const places = new Map(old.map((key, k) => [key, k]))
  const gone = new Set(old.filter((key) => !after.has(key)))
  for (const [key, value] of after) {
    const was = wasOf(value)
    if (was === undefined || names.has(key) || !gone.has(was)) continue
    names.set(key, was)
    gone.delete(was)
  }
  next.forEach((key, k) => {
    if (gone.size === 0 || names.has(key)) return
    const [above, below] = [names.get(next[k - 1] ?? ''), names.get(next[k + 1] ?? '')]
    const candidates = [
      old[(above === undefined ? -1 : (places.get(above) ?? -1)) + 1],
      old[(places.get(below ?? '') ?? 0) - 1],
    ]
    const [value, found] = [after.get(key), candidates.find((name) => name !== undefined && gone.has(name))]
    const was = found === undefined ? undefined : before.get(found)
    if (found === undefined || value === undefined || was === undefined || !isAlike(was, value)) return
    names.set(key, found)
    gone.delete(found)
  })
  return names
}

/** What a node says of its own earlier name. */
function wasOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value.was === 'string' ? value.was : undefined
}

export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
