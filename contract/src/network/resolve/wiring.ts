/** Connects references to signals and signals to ports, before anything is known of shapes. */
import type { OpEntry } from '../catalogue.ts'
import type { Definition, Frame, Placed, Signal } from '../frame.ts'
import { nearestName } from '../nearest.ts'
import { baseOf, type GraphNode } from './order.ts'
import { ModelError, type ProblemData } from './problems.ts'

/** The inputs of one node in port order; variadic ports are `x0`, `x1`, … */
export interface Slot {
  port: string
  signal: Signal | null
}

type Placements = ReadonlyMap<string, Placed>

export function connect(definition: Definition, node: GraphNode, frame: Frame, placed: Placements): Slot[] {
  const signals = node.inputs.map(({ ref, port }) => ({ port, signal: signalOf(ref, frame, placed) }))
  if (definition.kind === 'block') return fill(definition.block.inputs.map(required), signals)
  const [first] = definition.entry.in
  if (first?.many !== undefined) return fillMany(first.name, first.many, signals)
  return fill(definition.entry.in, signals)
}

/** What a reference stands for; null when that waits. */
export function signalOf(ref: string, frame: Frame, placed: Placements): Signal | null {
  const base = baseOf(ref)
  const port = ref.slice(base.length + 1)
  const input = frame.ports.get(base)
  const found = placed.get(base)
  if (input === undefined && found === undefined) {
    throw new ModelError('unknown_ref', withNearest({ ref }, base, [...frame.ports.keys(), ...placed.keys()]))
  }
  if (port === '') return input ?? found?.first ?? null
  if (found?.outputs.has(port)) return found.outputs.get(port) ?? null
  if (found !== undefined && found.first === null && found.outputs.size === 0) return null
  throw new ModelError('unknown_port', withNearest({ ref, port }, port, found?.outputs.keys() ?? []), port)
}

function withNearest(data: ProblemData, name: string, known: Iterable<string>): ProblemData {
  const nearest = nearestName(name, known)
  return nearest === null ? data : { ...data, nearest }
}

type Port = Pick<OpEntry['in'][number], 'name' | 'optional'>
const required = (name: string): Port => ({ name })

interface Given {
  port: string | null
  signal: Signal | null
}

function fill(ports: readonly Port[], given: readonly Given[]): Slot[] {
  if (given.length > ports.length) {
    throw new ModelError('input_count', { least: ports.length, most: ports.length, count: given.length })
  }
  for (const { port } of given) {
    if (port === null || ports.some(({ name }) => name === port)) continue
    const names = ports.map(({ name }) => name)
    throw new ModelError('unknown_port', withNearest({ ref: port, port }, port, names), port)
  }
  const slots: Slot[] = []
  ports.forEach(({ name, optional }, k) => {
    const found = given.find(({ port }, at) => (port === null ? at === k : port === name))
    if (found !== undefined) slots.push({ port: name, signal: found.signal })
    else if (optional !== true) throw new ModelError('input_missing', { port: name }, name)
  })
  return slots
}

function fillMany(name: string, [least, most]: readonly [number, number], given: readonly Given[]): Slot[] {
  if (given.length < least || given.length > most) {
    throw new ModelError('input_count', { least, most, count: given.length }, name)
  }
  return given.map(({ signal }, k) => ({ port: `${name}${k}`, signal }))
}
