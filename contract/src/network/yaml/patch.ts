/** Changes a network's text so that it means another document, and tells where in the text a part of it stands. */
import type { Vocabulary } from '../document/canonical.ts'
import { type Document, readDocument } from '../document/document.ts'
import { isRecord } from '../resolve/schema-map.ts'
import { applyTo, readText } from './apply.ts'
import { mergeDocument, targetData } from './merge.ts'
import { type Spot, spotsOf } from './places.ts'
import { writeYaml } from './write.ts'

/**
 * The text of the document with comments and untouched lines of the old text. It is written anew where the old text is
 * no document, or is written in a way that cannot be changed in place.
 */
export function patchYaml(text: string, document: Document, vocabulary: Vocabulary): string {
  const read = readText(text)
  const before = read === null ? null : readDocument(read.plain).document
  if (read === null || before === null) return writeYaml(document, vocabulary)
  const target = mergeDocument(read.plain, { before, after: document, vocabulary })
  if (target.kind === 'keep') return text
  const patched = applyTo(text, read, target)
  // The last word has the text itself: what it says now must be what was wanted.
  const again = readText(patched)
  const isRight = again !== null && JSON.stringify(again.plain) === JSON.stringify(targetData(target))
  return isRight ? patched : writeYaml(document, vocabulary)
}

/** Lines and columns count from 1; `endLine` is the last line of it. */
interface TextPlace {
  line: number
  column: number
  endLine: number
}

/**
 * Where the text says what a path of the canvas or of the plan names: `stem`, `stage2/0/conv1`, `@image`, `heads.main`.
 * Nodes of a local block stand in the block; what is inside a library block is told at its use.
 */
export function lineOf(text: string, path: string): TextPlace | null {
  const top = spotsOf(text)
  const spot = path.startsWith('@')
    ? find(top, ['inputs', path.slice(1)])
    : path.startsWith('heads.')
      ? find(top, path.split('.').slice(0, 2))
      : nodeSpot(top, path)
  if (spot === null) return null
  const start = text.lastIndexOf('\n', spot.from - 1) + 1
  const line = linesIn(text, spot.from)
  return { line, column: spot.from - start + 1, endLine: linesIn(text, Math.max(spot.from, spot.to - 1)) }
}

/** The canvas path at a place of the text; a line of a block is told at the block's first use. null elsewhere. */
export function pathAt(text: string, offset: number): string | null {
  const top = spotsOf(text)
  const keys: string[] = []
  for (let spots = top; keys.length < 4; ) {
    const spot = spots.find(({ lead, to }) => lead <= offset && offset < to) ?? endingAt(spots, offset)
    if (spot === undefined) break
    keys.push(spot.key)
    spots = spot.below()
  }
  const [section, id, inner, innerId] = keys
  if (id === undefined) return null
  if (section === 'nodes') return id
  if (section === 'inputs') return `@${id}`
  if (section === 'heads') return `heads.${id}`
  const use = section === 'blocks' ? firstUse(top, id, []) : null
  return use !== null && inner === 'nodes' && innerId !== undefined ? `${use}/${innerId}` : use
}

/** The cursor may stand behind the last letter of the text. */
function endingAt(spots: readonly Spot[], offset: number): Spot | undefined {
  const last = spots.at(-1)
  return last?.to === offset ? last : undefined
}

function nodeSpot(top: readonly Spot[], path: string): Spot | null {
  let found: Spot | null = null
  let nodes = ['nodes']
  for (const id of path.split('/')) {
    if (/^\d*$/.test(id)) continue
    const spot = find(top, [...nodes, id])
    // Inside a library block.
    if (spot === null) return found
    found = spot
    nodes = ['blocks', opOf(spot), 'nodes']
  }
  return found
}

/** Canvas path of the first node that uses the block, also where that stands in another block. */
function firstUse(top: readonly Spot[], name: string, around: readonly string[]): string | null {
  const user = find(top, ['nodes'])
    ?.below()
    .find((spot) => opOf(spot) === name)
  if (user !== undefined) return user.key
  if (around.includes(name)) return null
  for (const block of find(top, ['blocks'])?.below() ?? []) {
    const inner = find(block.below(), ['nodes'])
      ?.below()
      .find((spot) => opOf(spot) === name)
    const outer = inner === undefined ? null : firstUse(top, block.key, [...around, name])
    if (outer !== null && inner !== undefined) return `${outer}/${inner.key}`
  }
  return null
}

function find(spots: readonly Spot[], keys: readonly string[]): Spot | null {
  let found: Spot | null = null
  let level = spots
  for (const key of keys) {
    found = level.find((spot) => spot.key === key) ?? null
    if (found === null) return null
    level = found.below()
  }
  return found
}

function opOf(spot: Spot): string {
  const plain = spot.plain()
  const op = isRecord(plain) ? plain.op : plain
  return typeof op === 'string' ? op : ''
}

function linesIn(text: string, to: number): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
