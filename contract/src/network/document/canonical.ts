/** The one written form of a document: every `in` explicit, keys in fixed order, defaults dropped; and its hash. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Catalogue } from '../catalogue.ts'
import { mapMap } from '../edit/graph.ts'
import type { Block, Document, Head, Node, NodeInputs, ParamSpec, ParamValue } from './document.ts'

/** Plain JSON; `readDocument` reads it back. */
export type Json = string | number | boolean | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export interface Vocabulary {
  catalogue: Catalogue
  std: ReadonlyMap<string, Block>
}

export function canonicalDocument(document: Document, vocabulary: Vocabulary): JsonObject {
  const known: Known = { ...vocabulary, local: document.blocks }
  const { dripe, catalog, name, title, about, source, license, task } = document
  return compact({
    dripe,
    catalog,
    name,
    title,
    about,
    source,
    license,
    task,
    params: filled(mapValues(document.params, paramSpec)),
    inputs: mapValues(document.inputs, ({ kind, channels, size }) =>
      compact({ kind, channels: channels === 1 ? undefined : channels, size }),
    ),
    blocks: filled(mapValues(document.blocks, (block) => canonicalBlock(block, known))),
    nodes: canonicalNodes(document.nodes, [...document.inputs.keys()], known),
    heads: filled(mapValues(document.heads, canonicalHead)),
  })
}

/** Same hash, same model: comparable runs, cache key. Names, texts, notes and the task do not count. */
export function modelHash(document: Document, vocabulary: Vocabulary): string {
  const { params, inputs, blocks, nodes, heads } = canonicalDocument(stripNotes(document), vocabulary)
  const meaning = JSON.stringify([document.dripe, params ?? {}, inputs, blocks ?? {}, nodes, heads ?? {}])
  return bytesToHex(sha256(utf8ToBytes(meaning)))
}

interface Known extends Vocabulary {
  local: ReadonlyMap<string, Block>
}

function canonicalBlock(block: Block, known: Known): JsonObject {
  const isPlain = block.inputs.length === 1 && block.inputs[0] === 'x'
  return compact({
    title: block.title,
    about: block.about,
    inputs: isPlain ? undefined : block.inputs,
    params: filled(mapValues(block.params, paramSpec)),
    nodes: canonicalNodes(block.nodes, block.inputs, known),
    outputs: block.outputs === undefined ? undefined : mapValues(block.outputs, (ref) => ref),
  })
}

function canonicalNodes(
  nodes: ReadonlyMap<string, Node>,
  ports: readonly string[],
  known: Known,
): JsonObject {
  let before = ports.at(-1)
  return mapValues(nodes, (node, id) => {
    const written = node.in ?? before
    before = id
    const { op, repeat, share, off, note, was } = node
    const inputs = written === undefined ? undefined : canonicalInputs(written, portsOf(op, known))
    const frame = { op, in: inputs, repeat, share, off: off === false ? undefined : off, note, was }
    return compact({ ...frame, ...canonicalParams(node, known) })
  })
}

/** A list wherever ports are filled from the first on, a bare reference for one. */
function canonicalInputs(written: NodeInputs, ports: readonly string[]): Json {
  if (typeof written === 'string') return written
  if (Array.isArray(written)) return written.length === 1 ? (written[0] ?? '') : written
  const named = written
  const ordered = ports.slice(0, named.size).flatMap((port) => named.get(port) ?? [])
  if (ordered.length === named.size) return canonicalInputs(ordered, ports)
  const known = ports.filter((port) => named.has(port))
  return mapValues(
    new Map([...known, ...named.keys()].map((port) => [port, named.get(port) ?? ''])),
    (ref) => ref,
  )
}

function portsOf(op: string, { local, std, catalogue }: Known): readonly string[] {
  const block = local.get(op) ?? std.get(op)
  return block?.inputs ?? catalogue.get(op)?.in.map(({ name }) => name) ?? []
}

function canonicalParams({ op, params }: Node, { local, std, catalogue }: Known): JsonObject {
  const block = local.get(op) ?? std.get(op)
  const defaults = new Map<string, ParamValue>()
  if (block !== undefined) for (const [name, spec] of block.params) defaults.set(name, spec.default)
  else for (const [name, { def }] of catalogue.get(op)?.params ?? []) defaults.set(name, def)
  const result: JsonObject = {}
  const unknown = [...params.keys()].filter((name) => !defaults.has(name))
  for (const name of [...defaults.keys(), ...unknown]) {
    const value = params.get(name)
    if (value !== undefined && !isDefault(value, defaults.get(name))) result[name] = value
  }
  return result
}

/** An expression never counts as the default: the same text means something else inside the block. */
function isDefault(value: ParamValue, standard: ParamValue | undefined): boolean {
  if (typeof value === 'string' && value.startsWith('=')) return false
  return JSON.stringify(value) === JSON.stringify(standard)
}

function paramSpec({ type, default: standard, min, max, role, title }: ParamSpec): Json {
  const others = compact({ min, max, role, title })
  if (type === undefined && Object.keys(others).length === 0) return standard
  return compact({ type, default: standard, ...others })
}

function canonicalHead({ task, style, from, factor, weight }: Head): JsonObject {
  return compact({ task, style, from: headSource(from), factor, weight: weight === 1 ? undefined : weight })
}

function headSource(from: Head['from']): Json {
  if (typeof from === 'string') return from
  return Array.isArray(from) ? from.map(headSource) : mapValues(from, (ref) => ref)
}

function stripNotes(document: Document): Document {
  const bare = ({ note, was, ...node }: Node): Node => node
  const untitled = ({ title, ...spec }: ParamSpec): ParamSpec => spec
  return {
    ...document,
    params: mapMap(document.params, untitled),
    nodes: mapMap(document.nodes, bare),
    blocks: mapMap(document.blocks, ({ title, about, ...block }) => ({
      ...block,
      params: mapMap(block.params, untitled),
      nodes: mapMap(block.nodes, bare),
    })),
  }
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T, key: string) => Json): JsonObject {
  return Object.fromEntries([...map].map(([key, value]) => [key, change(value, key)]))
}

function filled(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}

function compact(object: { [key: string]: Json | undefined }): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(object)) if (value !== undefined) result[key] = value
  return result
}
