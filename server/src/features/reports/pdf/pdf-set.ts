/** Sets a report on A4 with pdfmake. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language } from '@neuroloom/contract/language'
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { Content } from 'pdfmake/interfaces.js'
import type { PdfDocument, PdfTask } from './pdf.ts'
import { brand, ink, inner, page, quiet, TEXT_SIZE } from './pdf-look.ts'
import { pairOfPictures, picturesOf } from './pdf-pictures.ts'
import { print } from './pdf-print.ts'
import {
  areShort,
  checklistOf,
  type Facts,
  factsOf,
  LABEL,
  longFactsOf,
  named,
  type Table,
  tableOf,
} from './pdf-tables.ts'
import { figure, fitted, kept, tagDocument } from './pdf-tags.ts'

const require = createRequire(import.meta.url)
/** One family that has Latin, Cyrillic and Chinese signs. */
const fonts = dirname(require.resolve('@expo-google-fonts/noto-sans-sc/package.json'))
const font = (name: string): string => join(fonts, name)

/** As screen readers choose their voice by. */
const spoken = { en: 'en-GB', zh: 'zh-CN', ru: 'ru-RU' } as const satisfies Record<Language, string>

/** A drawing that must be made smaller than this to fit says nothing on paper. */
const LEAST_SCALE = 0.16
/** Height of a drawing where that is still readable. */
const DRAWN = 230
const LEAST_READABLE = 0.32

export function setReport({ report, language, pictures, texts }: PdfTask): Promise<Buffer> {
  const head = headOf(report)
  const sections = report.sections.map((section) => sectionOf(section, { pictures, texts }))
  return print({
    title: report.title,
    language: spoken[language],
    structure: tagDocument(head, sections),
    content: [...head, ...sections.flat()],
    defaultStyle: {
      ...{ font: 'Noto', fontSize: TEXT_SIZE, color: ink, lineHeight: 1 },
      // Quotation marks of this typeface are as wide as a Chinese sign unless asked for otherwise.
      ...(language === 'zh' ? {} : { fontFeatures: ['pwid' as const] }),
    },
    fonts: {
      Noto: {
        normal: font('400Regular/NotoSansSC_400Regular.ttf'),
        bold: font('700Bold/NotoSansSC_700Bold.ttf'),
      },
    },
    // Nothing is fetched, and no file is read but the fonts.
    mayRead: (path) => path.startsWith(fonts),
    images: Object.fromEntries(
      Object.entries(pictures).map(([url, { png }]) => [
        url,
        `data:image/png;base64,${png.toString('base64')}`,
      ]),
    ),
    footer: (current, count) => ({
      margin: [page.side, 14, page.side, 0],
      columns: [
        { text: texts.foot, fontSize: 7.5, color: quiet },
        {
          text: texts.page.replace('{current}', String(current)).replace('{count}', String(count)),
          ...{ fontSize: 7.5, color: quiet, alignment: 'right' as const, width: 90 },
        },
      ],
    }),
    watermark: report.hasWatermark
      ? { text: texts.watermark, color: brand, opacity: 0.08, bold: true, angle: -50, fontSize: 72 }
      : undefined,
  })
}

const headOf = ({ title, subtitle }: PdfDocument): Content[] => [
  { text: 'Neuroloom', color: brand, bold: true, fontSize: 9, margin: [0, 0, 0, 3] },
  { text: title, bold: true, fontSize: 17, lineHeight: 1.1, headlineLevel: 1 },
  { text: subtitle, color: quiet, margin: [0, 2, 0, 5] },
  { canvas: [{ type: 'line', x1: 0, y1: 0, x2: inner, y2: 0, lineWidth: 1.2, lineColor: brand }] },
]

type Around = Pick<PdfTask, 'pictures' | 'texts'>

function sectionOf({ id, title, blocks }: PdfDocument['sections'][number], around: Around): Content[] {
  const head: Content = {
    ...{ text: title, id, headlineLevel: 2 },
    ...{ bold: true, fontSize: 11.5, color: brand, margin: [0, 10, 0, 4] },
  }
  const narrow = besideDrawing(head, blocks, around)
  if (narrow) return [narrow]
  const contents = blocksOf(blocks, around)
  const [first, ...rest] = contents
  if (first === undefined) return []
  // Its figures stand with the heading, where there is room for them.
  return isKept(first) ? [kept([head, ...first.stack]), ...rest] : [head, ...contents]
}

// as: pdfmake hands on what it does not know.
const isKept = (content: Content): content is Content & { stack: Content[] } =>
  (content as { isKept?: boolean }).isKept === true

/** A few facts with a tall drawing on their right, as high as the page has room for. */
function besideDrawing(head: Content, blocks: ReportBlock[], around: Around): Content | null {
  const [facts, drawn, ...more] = blocks
  if (facts?.kind !== 'facts' || drawn?.kind !== 'drawings' || more.length > 0) return null
  const [one, ...others] = drawn.drawings
  if (!one || others.length > 0 || one.width > one.height) return null
  const highest = Math.min(one.height, (inner * NARROW * one.height) / one.width, TALLEST)
  const least = Math.max(LOWEST, one.height * LEAST_READABLE * NARROW)
  if (least > highest) return null
  return fitted((room) => {
    const left = room - HEADING
    const isShort = left < least
    // So high a one would leave too much of the page white: it may go ahead by itself.
    if (isShort && least > LOWEST) return [head, factsOf(facts), ...drawingsOf(drawn, around)]
    const height = isShort ? highest : Math.min(highest, left)
    const width = (one.width * height) / one.height
    const drawing = figure({ svg: one.svg, width }, one.text)
    const caption: Content = { text: one.caption, bold: true, margin: [0, 0, 0, 2] }
    const columns = [
      { stack: [longFactsOf(facts)], width: '*' },
      { stack: [caption, drawing], width: Math.max(width, LABEL) },
    ]
    return [kept([head, { columns, columnGap: 16 }])]
  })
}

/** Of a heading with the caption of a drawing. */
const HEADING = 54

const NARROW = 0.45
/** Higher drawings would leave much white below the facts; lower ones say little. */
const TALLEST = 250
const LOWEST = 125

/** Short facts with a small table on their right, few pictures with few others. */
function blocksOf(blocks: ReportBlock[], around: Around): Content[] {
  const contents: Content[] = []
  for (let index = 0; index < blocks.length; index += 1) {
    const [block, next] = [blocks[index], blocks[index + 1]]
    if (block === undefined) continue
    const pair = pairOf(block, next, around)
    if (pair) {
      contents.push(pair)
      index += 1
    } else contents.push(...blockOf(block, around))
  }
  return contents
}

function pairOf(block: ReportBlock, next: ReportBlock | undefined, { pictures }: Around): Content | null {
  if (block.kind === 'pictures' && next?.kind === 'pictures') return pairOfPictures(block, next, pictures)
  if (block.kind !== 'facts' || next?.kind !== 'table' || !isSmall(block, next)) return null
  return {
    columns: [
      { stack: [longFactsOf(block)], width: '*' },
      { stack: [tableOf(next)], width: inner * NARROW },
    ],
    columnGap: 16,
  }
}

const isSmall = ({ facts }: Facts, { head, rows }: Table): boolean =>
  head.length <= 3 && rows.length <= facts.length && areShort(facts)

function blockOf(block: ReportBlock, around: Around): Content[] {
  switch (block.kind) {
    case 'text':
      return [{ text: block.text, margin: [0, 0, 0, 4], ...named(block.anchor) }]
    case 'notes':
      return [{ ul: block.notes.map((note) => ({ text: note, margin: [0, 0, 0, 3] })), markerColor: brand }]
    case 'facts':
      return [factsOf(block)]
    case 'table':
      return [tableOf(block)]
    case 'checklist':
      return checklistOf(block)
    case 'drawings':
      return drawingsOf(block, around)
    case 'pictures':
      return picturesOf(block, around.pictures)
  }
}

type Drawings = Extract<ReportBlock, { kind: 'drawings' }>['drawings']

/** Charts two and two beside each other; a large drawing over the width, or over a page of its own. */
function drawingsOf({ drawings }: { drawings: Drawings }, { texts }: Around): Content[] {
  const isChart = ({ width, height }: Drawings[number]): boolean => width <= 400 && height <= 300
  const charts = drawings.filter(isChart)
  const pairs = charts.flatMap((one, index): Content[] => {
    if (index % 2 === 1) return []
    const columns = [chartOf(one), chartOf(charts[index + 1])]
    return [kept([{ columns, columnGap: GAP, margin: [0, 4, 0, 8] }])]
  })
  const large = drawings
    .filter((one) => !isChart(one))
    .map(
      (one): Content =>
        scaleOf(one, inner) < LEAST_SCALE
          ? { text: texts.drawingTooLarge, color: quiet, margin: [0, 0, 0, 8] }
          : fitted((room) => [largeOf(one, room)]),
    )
  return [...pairs, ...large]
}

/** As high as the page has room for, where that is enough to be read; else of a height that soon finds room. */
function largeOf(one: Drawings[number], room: number): Content {
  const best = one.height * scaleOf(one, inner)
  const least = Math.max(one.height * LEAST_SCALE, Math.min(best, LOW))
  const left = room - CAPTION
  const height = Math.min(best, left < least ? Math.max(least, SOON) : left)
  const width = (one.width * height) / one.height
  const drawing = figure({ svg: one.svg, width, alignment: 'center' }, one.text)
  const caption: Content = { text: one.caption, bold: true, margin: [0, 4, 0, 4] }
  return kept([{ stack: [caption, drawing], margin: [0, 0, 0, 8] }])
}

const LOW = 170
const SOON = 280
/** Of a caption with what is left free around it. */
const CAPTION = 30
const GAP = 16

function chartOf(one: Drawings[number] | undefined): Content {
  if (one === undefined) return ''
  const drawing = figure({ svg: one.svg, width: (inner - GAP) / 2 }, one.text)
  return { stack: [{ text: one.caption, bold: true, fontSize: 9 }, drawing] }
}

function scaleOf({ width, height }: Pick<Drawings[number], 'width' | 'height'>, most: number): number {
  const whole = page.height - page.top - page.bottom - 60
  const fitted = Math.max(DRAWN / height, Math.min(LEAST_READABLE, whole / height))
  return Math.min(1, most / width, fitted)
}
