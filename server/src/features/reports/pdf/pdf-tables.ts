/** Lines and tables of a report on paper. */
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import { brand, inner, quiet, rule, TEXT_SIZE } from './pdf-look.ts'
import { rowHead } from './pdf-tags.ts'

/** As small as print may be that is still read. */
const SMALL = 7
const RULE = 0.5
/** Lists up to this many rows are one column; tables up to the fewer are not parted by the end of a page. */
const SHORT_ROWS = 16
const FEW_ROWS = 5

export type Table = Extract<ReportBlock, { kind: 'table' }>

const lines = {
  hLineWidth: () => RULE,
  vLineWidth: () => 0,
  hLineColor: () => rule,
  paddingLeft: () => 2,
  paddingRight: () => 6,
  paddingTop: () => 1.5,
  paddingBottom: () => 1.5,
}

export type Facts = Extract<ReportBlock, { kind: 'facts' }>

/** Short ones two and two beside each other. */
export function factsOf({ facts }: Pick<Facts, 'facts'>): Content {
  if (facts.length < 2 || !areShort(facts)) return longFactsOf({ facts })
  const half = Math.ceil(facts.length / 2)
  const body = facts.slice(0, half).map((one, index): TableCell[] => {
    const other = facts[half + index]
    return [...cells(one), ...(other ? cells(other) : [{ text: '' }, { text: '' }])]
  })
  return {
    margin: [0, 0, 0, 5],
    layout: lines,
    table: { widths: [LABEL, '*', LABEL, '*'], dontBreakRows: true, body },
  }
}

export const longFactsOf = ({ facts }: Pick<Facts, 'facts'>): Content => ({
  margin: [0, 0, 0, 5],
  layout: lines,
  table: {
    widths: [LABEL, '*'],
    dontBreakRows: facts.every(({ value }) => value.length <= LONG_VALUE),
    body: facts.map(cells),
  },
})

export const LABEL = 118
/** Letters that take a fifth of a page or more: such a row goes on on the next page. */
const LONG_VALUE = 400
const cells = ({ label, value, anchor }: Facts['facts'][number]): TableCell[] => [
  rowHead({ text: label, color: quiet, ...named(anchor) }),
  { text: breakable(value) },
]

/** Letters that fit beside another one. */
const SHORT_VALUE = 40
export const areShort = (facts: Facts['facts']): boolean =>
  facts.every(({ value }) => value.length <= SHORT_VALUE)

/** What a page's number can be asked of. */
export const named = (anchor: string | undefined): { id?: string } =>
  anchor === undefined ? {} : { id: anchor }

/** Signs of one word on a line; longer ones, such as hashes, would run out of the page. */
const LONGEST_WORD = 70
export const breakable = (text: string): string =>
  text.replace(new RegExp(`\\S{${LONGEST_WORD}}(?=\\S)`, 'g'), (part) => `${part} `)

/** Columns that fit beside each other in small print. */
const MOST_COLUMNS = 9
/** Width of a sign of bold print, as a share of its size; and what is left free beside each column. */
const SIGN = 0.62
const GAP = 8

/** Tables with many columns are continued below, each part with the first column; long narrow ones stand side by side. */
export function tableOf(table: Table): Content {
  const { head, rows } = table
  if (head.length <= 2 && rows.length > SHORT_ROWS) return sideBySide(table)
  const parts: Content[] = []
  const { anchor: _, ...unnamed } = table
  for (const { start, end } of runsOfColumns(table)) {
    const of = (row: readonly string[]): string[] => [row[0] ?? '', ...row.slice(start, end)]
    parts.push(
      partOf(start === 1 ? table : unnamed, {
        isDense: head.length > DENSE,
        head: of(head),
        rows: rows.map(of),
      }),
    )
  }
  return { stack: parts, unbreakable: rows.length <= FEW_ROWS }
}

/** Columns after the first that stand beside each other: a word is not parted, so its column is as wide as its longest one. */
function runsOfColumns({ head, rows }: Table): { start: number; end: number }[] {
  const widthOf = (column: number): number => {
    const words = [head, ...rows].flatMap((row) => breakable(row[column] ?? '').split(/\s+/))
    return Math.max(...words.map(({ length }) => length)) * SMALL * SIGN + GAP
  }
  const runs = [{ start: 1, end: 1 }]
  let used = NAME_WIDTH + GAP
  for (let column = 1; column < head.length; column += 1) {
    const run = runs.at(-1)
    const isFull = used + widthOf(column) > inner
    if (!run || (run.end > run.start && (isFull || run.end - run.start >= MOST_COLUMNS - 1))) {
      runs.push({ start: column, end: column + 1 })
      used = NAME_WIDTH + GAP + widthOf(column)
    } else {
      run.end = column + 1
      used += widthOf(column)
    }
  }
  return runs
}

function sideBySide({ caption, head, rows, anchor }: Table): Content {
  const height = Math.ceil(rows.length / BESIDE)
  const parts = Array.from({ length: BESIDE }, (_, index) =>
    partOf(null, { isDense: false, head, rows: rows.slice(index * height, (index + 1) * height) }),
  )
  return {
    stack: [
      { text: caption, bold: true, margin: [0, 3, 0, 0], ...named(anchor) },
      { columns: parts, columnGap: 16 },
    ],
    unbreakable: height <= FEW_ROWS,
  }
}

const BESIDE = 3

type Part = Pick<Table, 'head' | 'rows'> & { isDense: boolean }

/** Its caption is a row of its head: where it goes on on another page, it says what it is. */
function partOf(table: Table | null, { head, rows, isDense }: Part): Content {
  const first = isDense && rows.some(([name = '']) => name.length > LONG_NAME) ? NAME_WIDTH : 'auto'
  const title: TableCell[] = table
    ? [{ text: table.caption, bold: true, fontSize: TEXT_SIZE, colSpan: head.length, ...named(table.anchor) }]
    : []
  const titles = table ? [[...title, ...head.slice(1).map((): TableCell => '')]] : []
  return {
    margin: [0, 1, 0, 5],
    layout: { ...lines, hLineWidth: (row) => (row === 0 ? 0 : RULE) },
    fontSize: isDense ? SMALL : TEXT_SIZE,
    table: {
      headerRows: titles.length + 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: head.map((_, index) => (index === 0 ? first : '*')),
      body: [
        ...titles,
        head.map((text): TableCell => ({ text: breakable(text), color: quiet, bold: true })),
        ...rows.map((row) => row.map((text): TableCell => ({ text: breakable(text) }))),
      ],
    },
  }
}

/** Columns from which on print is smaller, and letters of a name from which on it takes several lines. */
const DENSE = 5
const LONG_NAME = 16
const NAME_WIDTH = 96

type Checklist = Extract<ReportBlock, { kind: 'checklist' }>

/** Two items a row in small print; each answered one with the page where it stands. */
export function checklistOf({ caption, text, items, page: words }: Checklist): Content[] {
  const [before = '', after = ''] = words.split('{page}')
  const cellsOf = (item: Checklist['items'][number] | undefined): TableCell[] => {
    if (!item) return ['', '', '']
    const { number, name, note, anchor } = item
    return [
      { text: String(number), color: quiet },
      rowHead({ text: breakable(name) }),
      anchor === null
        ? { text: note, color: quiet }
        : { text: [before, { pageReference: anchor }, after], color: brand },
    ]
  }
  const pairs = items.flatMap((one, index) => (index % 2 === 0 ? [[one, items[index + 1]] as const] : []))
  return [
    { text, margin: [0, 0, 0, 4] },
    {
      layout: {
        ...lines,
        paddingTop: () => 0.6,
        paddingBottom: () => 0.6,
        hLineWidth: (row) => (row === 0 ? 0 : RULE),
      },
      fontSize: SMALL,
      lineHeight: 0.95,
      table: {
        headerRows: 1,
        keepWithHeaderRows: 2,
        dontBreakRows: true,
        widths: [13, '*', 82, 13, '*', 82],
        body: [
          [{ text: caption, bold: true, fontSize: TEXT_SIZE, colSpan: 6 }, '', '', '', '', ''],
          ...pairs.map(([one, other]) => [...cellsOf(one), ...cellsOf(other)]),
        ],
      },
    },
  ]
}
