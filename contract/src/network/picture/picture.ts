/** The structure picture of a network: one SVG text that stands alone, with nothing in it that runs or is fetched. */

import type { Vocabulary } from '../document/canonical.ts'
import type { Document } from '../document/document.ts'
import { placeGraph } from '../layout/layout.ts'
import type { DataFacts } from '../resolve/bind.ts'
import { type Resolved, resolve } from '../resolve/resolve.ts'
import { type Cards, cardsOf, type Titles, wordOf } from './cards.ts'
import { drawCard, drawLabel, drawStroke, labelsOf, looks, paper, sceneOf, sizeOf } from './draw.ts'
import { type Sheet, toSheet } from './fold.ts'
import { boxAt, escapeText, shorten, textAt, widthOf, wrap } from './svg.ts'

export interface Picture {
  svg: string
  width: number
  height: number
  /** Where the network itself stands in the picture, without title and foot. */
  drawing: { x: number; y: number; width: number; height: number }
  /** null while mistakes stand in the way. */
  parameters: number | null
  macs: number | null
}

interface Options {
  vocabulary: Vocabulary
  /** Texts of the locale file layers.json by key. */
  titles: Titles
  /** As it was bound for a data set; without, as it was drawn. */
  data?: DataFacts
}

const margin = 36
/** Below this, titles and sources would break too often. */
const least = 400
const longestTitle = 640

export function structurePicture(document: Document, { vocabulary, titles, data = {} }: Options): Picture {
  const resolved = resolve(document, { ...vocabulary, data })
  const shown = cardsOf(document, resolved, { vocabulary, titles })
  const nodes = shown.cards.map((card) => ({ id: card.id, ...sizeOf(card) }))
  const placed = placeGraph({ nodes, edges: shown.edges })
  const scene = sceneOf(shown, placed)
  const sheet = toSheet(scene, labelsOf(scene))

  const title = document.title ?? document.name
  const wished = Math.max(least, sheet.width, Math.min(longestTitle, widthOf(title, 'title')))
  const inner = Math.ceil(wished)
  const head = drawHead(title, factsOf(resolved, titles), inner)
  const body = drawSheet(sheet)
  const x = Math.round(margin + (inner - sheet.width) / 2)
  const foot = drawFoot(shown, { document, titles, inner, top: head.bottom + sheet.height + 28 })
  const [width, height] = [inner + 2 * margin, Math.ceil(foot.bottom + margin)]
  const frame = `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const ground = `<rect width="${width}" height="${height}" fill="${paper}"/>`
  const moved = `<g transform="translate(${x} ${head.bottom})">${body}</g>`
  const svg = `<svg ${frame} role="img"><title>${escapeText(title)}</title>${ground}${head.svg}${moved}${foot.svg}</svg>`
  const drawing = { x, y: head.bottom, width: sheet.width, height: sheet.height }
  const { learn: parameters = null, macs = null } = resolved.plan ?? {}
  return { svg, width, height, drawing, parameters, macs }
}

/** Lines that skip rows lie lowest, cards on top of everything. */
function drawSheet({ cards, labels, strokes }: Sheet): string {
  const ordered = [...strokes].sort((a, b) => Number(b.isSkip) - Number(a.isSkip))
  return [...ordered.map(drawStroke), ...labels.map(drawLabel), ...cards.map(drawCard)].join('')
}

interface Part {
  svg: string
  bottom: number
}

function drawHead(title: string, facts: readonly string[], inner: number): Part {
  let y = margin + 18
  let svg = textAt([margin, y], shorten(title, 'title', inner), { font: 'title' })
  y += 8
  for (const line of wrap(facts.join(' · '), 'plain', inner)) {
    y += 18
    svg += textAt([margin, y], line, { font: 'plain' })
  }
  return { svg, bottom: y + 30 }
}

function factsOf({ plan }: Resolved, titles: Titles): string[] {
  if (plan === null) return []
  const parameters = wordOf(titles, ['picture.parameters'], 'Parameters')
  const macs = wordOf(titles, ['picture.macs'], 'Multiply-adds')
  return [`${parameters}: ${grouped(plan.learn)}`, `${macs}: ${scaled(plan.macs)}`]
}

/** Which colours stand for what, and where the network comes from. */
function drawFoot(
  { cards }: Cards,
  { document, titles, inner, top }: { document: Document; titles: Titles; inner: number; top: number },
): Part {
  const used = new Set(cards.map(({ category }) => category))
  let svg = `<path d="M${margin} ${top}h${inner}" stroke="#dfe8eb"/>`
  let [x, y] = [margin, top + 28]
  for (const [category, { fill, edge }] of looks) {
    if (!used.has(category)) continue
    const label = wordOf(titles, [`category.${category}`], category)
    const width = 20 + widthOf(label, 'small')
    if (x > margin && x + width > margin + inner) [x, y] = [margin, y + 22]
    svg += boxAt({ x, y: y - 11, width: 13, height: 13 }, { fill, stroke: edge, radius: 4 })
    svg += textAt([x + 20, y], label, { font: 'small' })
    x += width + 16
  }
  const source = document.source ?? ''
  if (source === '') return { svg, bottom: y }
  y += 10
  for (const line of wrap(`${wordOf(titles, ['picture.source'], 'Source')}: ${source}`, 'small', inner)) {
    y += 18
    svg += textAt([margin, y], line, { font: 'small' })
  }
  return { svg, bottom: y }
}

/** `11 689 512`, the same in all three languages. */
function grouped(value: number): string {
  return `${value}`.replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

function scaled(value: number): string {
  const steps: [number, string][] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ]
  const [size, sign] = steps.find(([start]) => value >= start) ?? [1, '']
  const number = Number((value / size).toPrecision(3))
  return sign === '' ? `${number}` : `${number}\u202f${sign}`
}
