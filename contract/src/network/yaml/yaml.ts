/** Network documents as YAML text: reading with located problems, writing one node a line. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as yaml from 'yaml'
import {
  type Block,
  type Document,
  type Fragment,
  networkLimits,
  readBlocks,
  readDocument,
  readFragment,
} from '../document/document.ts'
import type { DocumentCode, DocumentProblem, ProblemData } from '../resolve/problems.ts'

/** Never throws on a wrong text. YAML 1.2 core; aliases and tags are refused: they can grow without bound. */
export function readYaml(text: string): { document: Document | null; problems: DocumentProblem[] } {
  return { document: null, ...readText(text, readDocument) }
}

/** As `readYaml`, for nodes that were copied. */
export function readFragmentYaml(text: string): { fragment: Fragment | null; problems: DocumentProblem[] } {
  return { fragment: null, ...readText(text, readFragment) }
}

function readText<T extends { problems: DocumentProblem[] }>(
  text: string,
  read: (value: unknown) => T,
): T | { problems: DocumentProblem[] } {
  const lines = new yaml.LineCounter()
  const parsed = parse(text, lines)
  if ('problem' in parsed) return { problems: [parsed.problem] }
  const result = read(toPlain(parsed.tree.contents))
  const shown = result.problems.slice(0, networkLimits.problems)
  return { ...result, problems: shown.map((problem) => locate(problem, parsed.tree, lines)) }
}

/** The library blocks from `std.yaml`. They come with the product, so a wrong text is a defect: throws. */
export function readLibraryYaml(text: string): ReadonlyMap<string, Block> {
  const parsed = parse(text, new yaml.LineCounter())
  if ('problem' in parsed) throw new Error(`library blocks: ${JSON.stringify(parsed.problem)}`)
  return readBlocks(toPlain(parsed.tree.contents))
}

type Tree = yaml.Document.Parsed

/** Looking for double keys and drawing each mistake take quadratic time in this parser; the first is done here. */
export const parseOptions = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

function parse(text: string, lineCounter: yaml.LineCounter): { tree: Tree } | { problem: DocumentProblem } {
  const atOnce = refusedAtOnce(text)
  if (atOnce !== null) {
    const { code, data, at } = atOnce
    return refuse(code, data, at === null ? undefined : placeAt(text, at))
  }
  try {
    const tree = yaml.parseDocument(text, { ...parseOptions, lineCounter })
    const [error] = tree.errors
    if (error !== undefined) {
      return refuse('yaml_syntax', { detail: error.code }, lineCounter.linePos(error.pos[0]))
    }
    const refused = findRefused(tree)
    if (refused === null) return { tree }
    return refuse(refused.code, refused.data, lineCounter.linePos(refused.at ?? 0))
  } catch (error) {
    if (error instanceof RangeError) return refuse('yaml_too_deep', {})
    throw error
  }
}

/** What the parser would take seconds for, seen in one pass: too many bytes, too many parts, brackets in brackets. */
export function refusedAtOnce(text: string): Refused | null {
  const most = networkLimits.yamlBytes
  if (text.length > most || utf8ToBytes(text).length > most) {
    return { code: 'yaml_too_large', at: null, data: { most } }
  }
  const steep = text.search(tooSteep)
  if (steep >= 0) return { code: 'yaml_too_deep', at: steep, data: {} }
  let depth = 0
  let parts = 0
  for (const { 0: whole, 1: before, index: at } of text.matchAll(marks)) {
    const mark = before ?? whole
    parts += 1
    if (parts > networkLimits.yamlParts) {
      return { code: 'too_many', at, data: { most: networkLimits.yamlParts } }
    }
    if (mark === '[' || mark === '{') depth += 1
    else if (mark === ']' || mark === '}') depth -= 1
    if (depth > networkLimits.yamlDepth) return { code: 'yaml_too_deep', at, data: {} }
    if (depth < -networkLimits.yamlDepth) return { code: 'yaml_syntax', at, data: {} }
  }
  return null
}

/** A line so far to the right stands in more maps than a network has, or in a row of mistakes. */
const tooSteep = new RegExp(`^ {${4 * networkLimits.yamlDepth}}`, 'm')

/**
 * What begins or ends a part. A comment and a quoted text are passed over whole, whatever they hold, with the sign before
 * them (no look-behind: older tablets do not know it).
 */
const marks = /(^|[\s[{:,])(?:#.*|"(?:[^"\\]|\\[\s\S])*"|'[^']*')|[[\]{}:,\n]/g

function placeAt(text: string, at: number): { line: number; col: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 }
}

function refuse(
  code: DocumentCode,
  data: ProblemData,
  at?: { line: number; col: number },
): { problem: DocumentProblem } {
  return { problem: { code, path: '', line: at?.line ?? null, column: at?.col ?? null, data } }
}

interface Refused {
  code: DocumentCode
  at: number | null
  data: ProblemData
}

export function findRefused(tree: Tree): Refused | null {
  let found: Refused | null = null
  yaml.visit(tree, {
    Node: (_key, node) => {
      found = refusedNode(node)
      return found === null ? undefined : yaml.visit.BREAK
    },
  })
  return found
}

function refusedNode(node: yaml.Node): Refused | null {
  const at = node.range?.[0] ?? 0
  if (yaml.isAlias(node) || ('anchor' in node && node.anchor !== undefined)) {
    return { code: 'yaml_alias', at, data: {} }
  }
  if (node.tag !== undefined) return { code: 'yaml_tag', at, data: {} }
  if (!yaml.isMap(node)) return null
  const names = new Set<string>()
  for (const { key } of node.items) {
    const name = keyText(key)
    if (names.has(name))
      return { code: 'key_twice', at: startOf(key) ?? at, data: { name: name.slice(0, 60) } }
    names.add(name)
  }
  return null
}

/** Plain data whose maps have no prototype, so that every key is only a key. */
export function toPlain(node: unknown): unknown {
  if (yaml.isMap(node)) {
    const record: Record<string, unknown> = Object.create(null)
    for (const { key, value } of node.items) record[keyText(key)] = toPlain(value)
    return record
  }
  if (yaml.isSeq(node)) return node.items.map(toPlain)
  return yaml.isScalar(node) ? node.value : node
}

function keyText(key: unknown): string {
  return yaml.isScalar(key) ? String(key.value) : String(key)
}

/** The deepest part of the path that the text has. */
function locate(problem: DocumentProblem, tree: Tree, lines: yaml.LineCounter): DocumentProblem {
  let node: unknown = tree.contents
  let at = 0
  for (const step of problem.path === '' ? [] : problem.path.split('.')) {
    if (yaml.isMap(node)) {
      const pair = node.items.find(({ key }) => keyText(key) === step)
      if (pair === undefined) break
      at = startOf(pair.key) ?? at
      node = pair.value
    } else if (yaml.isSeq(node)) {
      node = node.items[Number(step)]
      at = startOf(node) ?? at
    } else break
  }
  const { line, col } = lines.linePos(at)
  return { ...problem, line, column: col }
}

function startOf(node: unknown): number | null {
  return yaml.isNode(node) ? (node.range?.[0] ?? null) : null
}
