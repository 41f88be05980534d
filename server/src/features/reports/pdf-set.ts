/** Sets a report on A4 with pdfmake. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ReportBlock } from '@neuroloom/contract/reports'
import pdfmake from 'pdfmake'
import type { Column, Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { PdfDocument, PdfTask } from './pdf.ts'
import { brand, ink, inner, page, quiet, TEXT_SIZE } from './pdf-look.ts'
import {
  areShort,
  breakable,
  checklistOf,
  type Facts,
  factsOf,
  LABEL,
  longFactsOf,
  named,
  SHORT_ROWS,
  type Table,
  tableOf,
} from './pdf-tables.ts'

const require = createRequire(import.meta.url)
/** One family that has Latin, Cyrillic and Chinese signs. */
const fonts = dirname(require.resolve('@expo-google-fonts/noto-sans-sc/package.json'))
const font = (name: string): string => join(fonts, name)

/** A drawing that must be made smaller than this to fit says nothing on paper. */
const LEAST_SCALE = 0.16
/** Height of a drawing where that is still readable. */
const DRAWN = 230
const LEAST_READABLE = 0.32

export async function setReport({ report, language, pictures, texts }: PdfTask): Promise<Buffer> {
  pdfmake.setFonts({
    Noto: {
      normal: font('400Regular/NotoSansSC_400Regular.ttf'),
      bold: font('700Bold/NotoSansSC_700Bold.ttf'),
    },
  })
  // Nothing is fetched, and no file is read but the fonts.
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(fonts))
  const document: TDocumentDefinitions = {
    info: { title: report.title, producer: 'Neuroloom', creator: 'Neuroloom' },
    pageSize: 'A4',
    pageMargins: [page.side, page.top, page.side, page.bottom],
    defaultStyle: {
      ...{ font: 'Noto', fontSize: TEXT_SIZE, color: ink, lineHeight: 1 },
      // Quotation marks of this typeface are as wide as a Chinese sign unless asked for otherwise.
      ...(language === 'zh' ? {} : { fontFeatures: ['pwid' as const] }),
    },
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
    ...(report.hasWatermark
      ? {
          watermark: {
            text: texts.watermark,
            color: brand,
            opacity: 0.08,
            bold: true,
            angle: -50,
            fontSize: 72,
          },
        }
      : {}),
    content: [
      ...headOf(report),
      ...report.sections.flatMap((section) => sectionOf(section, { pictures, texts })),
    ],
  }
  return pdfmake.createPdf(document).getBuffer()
}

const headOf = ({ title, subtitle }: PdfDocument): Content[] => [
  { text: 'Neuroloom', color: brand, bold: true, fontSize: 9, margin: [0, 0, 0, 3] },
  { text: title, bold: true, fontSize: 17, lineHeight: 1.1 },
  { text: subtitle, color: quiet, margin: [0, 2, 0, 5] },
  { canvas: [{ type: 'line', x1: 0, y1: 0, x2: inner, y2: 0, lineWidth: 1.2, lineColor: brand }] },
]

type Around = Pick<PdfTask, 'pictures' | 'texts'>

function sectionOf({ id, title, blocks }: PdfDocument['sections'][number], around: Around): Content[] {
  const head: Content = { text: title, id, bold: true, fontSize: 11.5, color: brand, margin: [0, 10, 0, 4] }
  const [first, ...rest] = beside(blocks) ?? withTable(blocks.flatMap(apart), around)
  if (first === undefined) return []
  const isTable = blocks[0]?.kind === 'table' && blocks[0].rows.length > SHORT_ROWS
  // A heading never stands alone at the foot of a page.
  return isTable ? [head, first, ...rest] : [{ stack: [head, first], unbreakable: true }, ...rest]
}

/** A few facts with a tall drawing on their right. */
function beside(blocks: ReportBlock[]): Content[] | null {
  const [facts, drawn, ...more] = blocks
  if (facts?.kind !== 'facts' || drawn?.kind !== 'drawings' || more.length > 0) return null
  const [one, ...others] = drawn.drawings
  if (!one || others.length > 0 || one.width > one.height) return null
  const scale = Math.min(1, (inner * NARROW) / one.width, TALLEST / one.height)
  if (scale < LEAST_READABLE * NARROW) return null
  const drawing = { svg: one.svg, width: one.width * scale, font: 'Noto' } as Content
  return [
    {
      columns: [
        { stack: [longFactsOf(facts)], width: '*' },
        {
          stack: [{ text: one.caption, bold: true, margin: [0, 0, 0, 2] }, drawing],
          width: Math.max(one.width * scale, LABEL),
        },
      ],
      columnGap: 16,
    },
  ]
}

const NARROW = 0.45
/** Higher drawings would leave much white below the facts. */
const TALLEST = 250

/** Short facts with a small table on their right. */
function withTable(blocks: ReportBlock[], around: Around): Content[] {
  const contents: Content[] = []
  for (let index = 0; index < blocks.length; index += 1) {
    const [block, next] = [blocks[index], blocks[index + 1]]
    if (block === undefined) continue
    if (block.kind === 'facts' && next?.kind === 'table' && isSmall(block, next)) {
      contents.push({
        columns: [
          { stack: [longFactsOf(block)], width: '*' },
          { stack: [tableOf(next)], width: inner * NARROW },
        ],
        columnGap: 16,
      })
      index += 1
    } else contents.push(...blockOf(block, around))
  }
  return contents
}

const isSmall = ({ facts }: Facts, { head, rows }: Table): boolean =>
  head.length <= 3 && rows.length <= facts.length && areShort(facts)

/** What may go on on the next page, with a beginning that stands with what is above it. */
function apart(block: ReportBlock, index: number): ReportBlock[] {
  if (index > 0 || block.kind !== 'facts' || !isLong(block)) return [block]
  const facts = [block.facts.slice(0, 1), block.facts.slice(1)]
  return facts.map((some) => ({ ...block, facts: some }))
}

const SHORT_LETTERS = 900
const isLong = ({ facts }: Facts): boolean =>
  facts.length > 1 &&
  !areShort(facts) &&
  (facts.length > SHORT_ROWS || facts.reduce((sum, { value }) => sum + value.length, 0) > SHORT_LETTERS)

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
      return picturesOf(block, around)
  }
}

type Drawings = Extract<ReportBlock, { kind: 'drawings' }>['drawings']

/** Charts two and two beside each other; a large drawing over the width, or over a page of its own. */
function drawingsOf({ drawings }: { drawings: Drawings }, { texts }: Around): Content[] {
  const isChart = ({ width, height }: Drawings[number]): boolean => width <= 400 && height <= 300
  const charts = drawings.filter(isChart)
  const half = (inner - 16) / 2
  const cell = (one: Drawings[number] | undefined): Content =>
    one === undefined
      ? ''
      : {
          stack: [
            { text: one.caption, bold: true, fontSize: 9 },
            { svg: one.svg, width: half, font: 'Noto' } as Content,
          ],
        }
  const pairs = charts.flatMap((one, index): Content[] =>
    index % 2 === 1
      ? []
      : [
          {
            columns: [cell(one), cell(charts[index + 1])],
            columnGap: 16,
            unbreakable: true,
            margin: [0, 4, 0, 8],
          },
        ],
  )
  const large = drawings
    .filter((one) => !isChart(one))
    .map((one): Content => {
      const scale = scaleOf(one, inner)
      if (scale < LEAST_SCALE) return { text: texts.drawingTooLarge, color: quiet, margin: [0, 0, 0, 8] }
      const drawing = { svg: one.svg, width: one.width * scale, font: 'Noto', alignment: 'center' } as Content
      return {
        stack: [{ text: one.caption, bold: true, margin: [0, 4, 0, 4] }, drawing],
        unbreakable: true,
        margin: [0, 0, 0, 8],
      }
    })
  return [...pairs, ...large]
}

function scaleOf({ width, height }: Pick<Drawings[number], 'width' | 'height'>, most: number): number {
  const whole = page.height - page.top - page.bottom - 60
  const fitted = Math.max(DRAWN / height, Math.min(LEAST_READABLE, whole / height))
  return Math.min(1, most / width, fitted)
}

/** Six beside each other, or two wide or large ones. */
function picturesOf(
  { text, isLarge, pictures: shown }: Extract<ReportBlock, { kind: 'pictures' }>,
  { pictures }: Around,
): Content[] {
  const isWide = shown.some(({ url }) => (pictures[url]?.width ?? 0) > 1.8 * (pictures[url]?.height ?? 1))
  const count = isWide || isLarge ? 2 : 6
  const gap = 8
  const width = (inner - gap * (count - 1)) / count
  const cells = shown.map(({ url, name, caption }): Column => {
    const { width: side = 1, height = 1 } = pictures[url] ?? {}
    const fitted = Math.min(width, (side / height) * 220)
    return {
      stack: [
        { image: url, width: fitted },
        { text: breakable(name), fontSize: 7, bold: true, margin: [0, 1, 0, 0] },
        { text: caption, fontSize: 7, color: quiet },
      ],
      width,
    }
  })
  const rows: Content[] = []
  for (let start = 0; start < cells.length; start += count) {
    rows.push({
      columns: cells.slice(start, start + count),
      columnGap: gap,
      unbreakable: true,
      margin: [0, 0, 0, 6],
    })
  }
  const [first, ...rest] = rows
  const above: Content = { text, margin: [0, 0, 0, 4] }
  return first === undefined ? [above] : [{ stack: [above, first], unbreakable: true }, ...rest]
}
