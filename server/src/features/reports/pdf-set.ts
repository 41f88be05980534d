/** Sets a report on A4 with pdfmake. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Report, ReportBlock } from '@neuroloom/contract/reports'
import pdfmake from 'pdfmake'
import type { Column, Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { PdfTask } from './pdf.ts'

const require = createRequire(import.meta.url)
/** One family that has Latin, Cyrillic and Chinese signs. */
const fonts = dirname(require.resolve('@expo-google-fonts/noto-sans-sc/package.json'))
const font = (name: string): string => join(fonts, name)

const page = { width: 595, height: 842, side: 48, top: 56, bottom: 56 } as const
const inner = page.width - 2 * page.side
const ink = '#1f2937'
const quiet = '#6b7280'
const brand = '#0b6e99'
const rule = '#e5e7eb'
/** A drawing that must be made smaller than this to fit says nothing on paper. */
const LEAST_SCALE = 0.16
const HALF = 340
const LEAST_READABLE = 0.32

export async function setReport({ report, pictures, texts }: PdfTask): Promise<Buffer> {
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
    defaultStyle: { font: 'Noto', fontSize: 9.5, color: ink, lineHeight: 1.25 },
    images: Object.fromEntries(
      Object.entries(pictures).map(([url, { png }]) => [
        url,
        `data:image/png;base64,${png.toString('base64')}`,
      ]),
    ),
    footer: (current, count) => ({
      margin: [page.side, 18, page.side, 0],
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

const headOf = ({ title, subtitle }: Report): Content[] => [
  { text: 'Neuroloom', color: brand, bold: true, fontSize: 10, margin: [0, 0, 0, 6] },
  { text: title, bold: true, fontSize: 20, lineHeight: 1.1 },
  { text: subtitle, color: quiet, margin: [0, 4, 0, 8] },
  { canvas: [{ type: 'line', x1: 0, y1: 0, x2: inner, y2: 0, lineWidth: 1.2, lineColor: brand }] },
]

/** Tables up to this many rows are not parted by the end of a page. */
const SHORT_ROWS = 16

type Around = Pick<PdfTask, 'pictures' | 'texts'>

function sectionOf({ title, blocks }: Report['sections'][number], around: Around): Content[] {
  const [first, ...rest] = blocks.flatMap((block) => blockOf(block, around))
  const head: Content = { text: title, bold: true, fontSize: 13, color: brand, margin: [0, 16, 0, 6] }
  // A heading never stands alone at the foot of a page.
  return first === undefined ? [] : [{ stack: [head, first], unbreakable: !isLong(blocks[0]) }, ...rest]
}

const isLong = (block: ReportBlock | undefined): boolean =>
  (block?.kind === 'facts' && block.facts.length > SHORT_ROWS) ||
  (block?.kind === 'table' && block.rows.length > SHORT_ROWS)

function blockOf(block: ReportBlock, around: Around): Content[] {
  switch (block.kind) {
    case 'text':
      return [{ text: block.text, margin: [0, 0, 0, 6] }]
    case 'notes':
      return [{ ul: block.notes.map((note) => ({ text: note, margin: [0, 0, 0, 3] })), markerColor: brand }]
    case 'facts':
      return [factsOf(block)]
    case 'table':
      return [tableOf(block)]
    case 'drawings':
      return drawingsOf(block, around)
    case 'pictures':
      return [{ text: block.text, margin: [0, 0, 0, 6] }, picturesOf(block, around)]
  }
}

const lines = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineColor: () => rule,
  paddingLeft: () => 2,
  paddingRight: () => 6,
  paddingTop: () => 2.5,
  paddingBottom: () => 2.5,
}

const factsOf = ({ facts }: Extract<ReportBlock, { kind: 'facts' }>): Content => ({
  margin: [0, 0, 0, 8],
  layout: lines,
  table: {
    widths: [150, '*'],
    body: facts.map(({ label, value }): TableCell[] => [
      { text: label, color: quiet },
      { text: breakable(value) },
    ]),
  },
})

/** Signs of one word on a line; longer ones, such as hashes, would run out of the page. */
const LONGEST_WORD = 56
const breakable = (text: string): string =>
  text.replace(new RegExp(`\\S{${LONGEST_WORD}}(?=\\S)`, 'g'), (part) => `${part} `)

/** Columns that fit beside each other in small print. */
const MOST_COLUMNS = 9

/** Tables with many columns are continued below, each part with the first column. */
function tableOf({ caption, head, rows }: Extract<ReportBlock, { kind: 'table' }>): Content {
  const parts: Content[] = []
  for (let start = 1; start < Math.max(2, head.length); start += MOST_COLUMNS - 1) {
    const of = (row: readonly string[]): string[] => [
      row[0] ?? '',
      ...row.slice(start, start + MOST_COLUMNS - 1),
    ]
    const size = head.length > 6 ? 7.5 : 8.5
    parts.push({
      margin: [0, 2, 0, 8],
      layout: lines,
      fontSize: size,
      table: {
        headerRows: 1,
        dontBreakRows: true,
        widths: of(head).map((_, index) => (index === 0 ? 'auto' : '*')),
        body: [
          of(head).map((text): TableCell => ({ text: breakable(text), color: quiet, bold: true })),
          ...rows.map((row) => of(row).map((text): TableCell => ({ text: breakable(text) }))),
        ],
      },
    })
  }
  return {
    stack: [{ text: caption, bold: true, margin: [0, 6, 0, 0] }, ...parts],
    unbreakable: rows.length <= SHORT_ROWS,
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
      const whole = page.height - page.top - page.bottom - 60
      // Half a page where that is still readable.
      const scale = Math.min(
        1,
        inner / one.width,
        Math.max(HALF / one.height, Math.min(LEAST_READABLE, whole / one.height)),
      )
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

/** Three beside each other; wide ones below each other. */
function picturesOf(
  { pictures: shown }: Extract<ReportBlock, { kind: 'pictures' }>,
  { pictures }: Around,
): Content {
  const isWide = shown.some(({ url }) => (pictures[url]?.width ?? 0) > 1.8 * (pictures[url]?.height ?? 1))
  const count = isWide ? 1 : 3
  const gap = 12
  const width = (inner - gap * (count - 1)) / count
  const cells = shown.map(({ url, name, caption }): Column => {
    const { width: side = 1, height = 1 } = pictures[url] ?? {}
    const fitted = Math.min(width, (side / height) * 220)
    return {
      stack: [
        { image: url, width: fitted },
        { text: breakable(name), fontSize: 8, bold: true, margin: [0, 2, 0, 0] },
        { text: caption, fontSize: 8, color: quiet },
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
      margin: [0, 0, 0, 10],
    })
  }
  return { stack: rows }
}
