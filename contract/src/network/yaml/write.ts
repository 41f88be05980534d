/** Writes a document as YAML text: its canonical form, one node a line, `in` left out where it is the line before. */
import { visit, Document as YamlDocument } from 'yaml'
import { canonicalDocument, type Json, type JsonObject, type Vocabulary } from '../document/canonical.ts'
import { type Document, documentVersion, type Fragment, networkLimits } from '../document/document.ts'

export function writeYaml(document: Document, vocabulary: Vocabulary): string {
  const { params, inputs, blocks, nodes, heads, ...metadata } = canonicalDocument(document, vocabulary)
  const lines = Object.entries(metadata).map(([key, value]) => `${key}: ${flow(value)}`)
  lines.push(...section('params', params, ''), ...section('inputs', inputs, ''), ...blocksSection(blocks))
  lines.push(...section('nodes', shortNodes(nodes, [...document.inputs.keys()].at(-1)), ''))
  lines.push(...section('heads', heads, ''))
  return `${lines.join('\n')}\n`
}

/** Copied nodes: every `in` is written, for the line before is another one where they are pasted. */
export function writeFragment(fragment: Fragment, vocabulary: Vocabulary): string {
  const around = { dripe: documentVersion, name: '', task: '', inputs: new Map(), heads: new Map() } as const
  const { params, blocks, nodes } = canonicalDocument({ ...around, ...fragment }, vocabulary)
  const lines = [`dripe: ${documentVersion}`, 'fragment: true', ...section('params', params, '')]
  return `${[...lines, ...blocksSection(blocks), ...section('nodes', nodes, '')].join('\n')}\n`
}

function blocksSection(blocks: Json | undefined): string[] {
  if (blocks === undefined) return []
  return ['blocks:', ...entriesOf(blocks).flatMap(([name, block]) => blockLines(name, block))]
}

function blockLines(name: string, block: Json): string[] {
  const indent = '    '
  const { nodes, params, outputs, ...others } = objectOf(block)
  const lines = [`  ${flow(name)}:`]
  for (const [key, value] of Object.entries(others)) lines.push(`${indent}${key}: ${flow(value)}`)
  if (params !== undefined) lines.push(`${indent}params: ${flow(params)}`)
  const ports = Array.isArray(others.inputs) ? others.inputs : ['x']
  lines.push(...section('nodes', shortNodes(nodes, ports.at(-1)), indent))
  if (outputs !== undefined) lines.push(`${indent}outputs: ${flow(outputs)}`)
  return lines
}

function section(key: string, entries: Json | undefined, indent: string): string[] {
  if (entries === undefined) return []
  const lines = entriesOf(entries).map(([name, value]) => `${indent}  ${flow(name)}: ${flow(value)}`)
  return lines.length === 0 ? [`${indent}${key}: {}`] : [`${indent}${key}:`, ...lines]
}

/** `relu` instead of `{op: relu, in: bn}` behind the line `bn`. */
export function shortNodes(nodes: Json | undefined, port: Json | undefined): JsonObject {
  let before = port
  const short: JsonObject = {}
  for (const [id, node] of entriesOf(nodes)) {
    const { in: inputs, ...others } = objectOf(node)
    const rest: JsonObject = inputs === undefined || inputs === before ? others : withInputs(others, inputs)
    const { op } = rest
    short[id] = Object.keys(rest).length === 1 && op !== undefined ? op : rest
    before = id
  }
  return short
}

function withInputs({ op, ...others }: JsonObject, inputs: Json): JsonObject {
  return op === undefined ? { in: inputs, ...others } : { op, in: inputs, ...others }
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return Object.entries(objectOf(value))
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}

export function flow(value: Json): string {
  const tree = new YamlDocument(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  visit(tree, {
    Scalar: (_key, scalar) => {
      // A text of several lines stays on the line of its node.
      if (typeof scalar.value === 'string' && /[\r\n]/.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  const oneLine = { lineWidth: 0, doubleQuotedMinMultiLineLength: networkLimits.yamlBytes }
  return tree.toString({ collectionStyle: 'flow', flowCollectionPadding: false, ...oneLine }).trimEnd()
}
