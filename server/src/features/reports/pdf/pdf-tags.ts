/** The structure that a PDF tells screen readers: headings, paragraphs, lists, tables and figures, read off pdfmake's content. */
import type { Content, ContentImage, ContentSvg, ContentText, TableCell } from 'pdfmake/interfaces.js'

export type Tag = {
  type: string
  alt?: string
  scope?: 'Row' | 'Column'
  children: Tag[]
}

const tag = (type: string, more: Pick<Tag, 'alt' | 'scope'> = {}): Tag => ({ type, ...more, children: [] })

/** A drawing or picture with what it shows in words. */
// as: pdfmake hands on what it does not know.
export const figure = (content: ContentImage | ContentSvg, alt: string): Content =>
  ({ ...content, alt }) as unknown as Content

/** A cell that names its row. */
// as: pdfmake hands on what it does not know.
export const rowHead = (cell: ContentText): TableCell => ({ ...cell, scope: 'Row' }) as TableCell

/** Content that stays on one page, the last of which may go ahead to a later page. */
// as: pdfmake hands on what it does not know.
export const kept = (stack: Content[]): Content => ({ stack, isKept: true }) as Content

/** Content that depends on the height that is left on the page. */
// as: pdfmake hands on what it does not know.
export const fitted = (make: (room: number) => Content[]): Content =>
  ({ text: '', make }) as unknown as Content

/** The whole document: its head, then a part for each section. Marks each text and figure with its place in it. */
export function tagDocument(head: Content[], sections: Content[][]): Tag {
  const document = tag('Document')
  tagAll(head, document)
  for (const section of sections) {
    const part = below(document, tag('Sect'))
    tagAll(section, part)
  }
  return document
}

export function tagAll(contents: readonly unknown[], parent: Tag): void {
  for (const content of contents) tagNode(content, parent)
}

type Known = {
  stack?: unknown[]
  columns?: unknown[]
  ul?: unknown[]
  table?: { body: unknown[][]; headerRows?: number }
  text?: unknown
  svg?: string
  image?: string
  headlineLevel?: number
  alt?: string
  scope?: 'Row'
  colSpan?: number
  make?: unknown
  tag?: Tag
}

function tagNode(content: unknown, parent: Tag): void {
  if (typeof content !== 'object' || content === null) return
  // as: all content of pdfmake has these or lacks them.
  const node = content as Known
  // What is made later goes to this place.
  if (node.make) node.tag = below(parent, tag('Div'))
  else if (node.stack) tagAll(node.stack, parent)
  else if (node.columns) tagAll(node.columns, parent)
  else if (node.ul) tagList(node.ul, below(parent, tag('L')))
  else if (node.table) tagTable(node.table, below(parent, tag('Table')))
  else if (node.svg !== undefined || node.image !== undefined)
    node.tag = below(parent, tag('Figure', node.alt === undefined ? {} : { alt: node.alt }))
  else if (node.text !== undefined)
    node.tag = below(parent, tag(node.headlineLevel ? `H${node.headlineLevel}` : 'P'))
}

function tagList(items: readonly unknown[], list: Tag): void {
  for (const item of items) leaf(item, below(below(list, tag('LI')), tag('LBody')))
}

/** Rows that are repeated on each page name the columns; the first of two is the caption over all of them. */
function tagTable({ body, headerRows = 0 }: NonNullable<Known['table']>, table: Tag): void {
  for (const [index, row] of body.entries()) {
    const [first] = row
    if (index < headerRows - 1) {
      leaf(first, below(table, tag('Caption')))
      continue
    }
    const line = below(table, tag('TR'))
    for (const [column, cell] of row.entries()) {
      if (isEmpty(cell)) continue
      if (index < headerRows) leaf(cell, below(line, tag('TH', { scope: 'Column' })))
      else if (isRowHead(cell) || (headerRows > 0 && column === 0))
        leaf(cell, below(line, tag('TH', { scope: 'Row' })))
      else leaf(cell, below(line, tag('TD')))
    }
  }
}

// as: all content of pdfmake has these or lacks them.
const isRowHead = (cell: unknown): boolean => (cell as Known).scope === 'Row'
const isEmpty = (cell: unknown): boolean => cell === '' || (cell as Known).text === ''

function leaf(content: unknown, own: Tag): void {
  // as: all content of pdfmake has these or lacks them.
  if (typeof content === 'object' && content !== null) (content as Known).tag = own
}

function below(parent: Tag, child: Tag): Tag {
  parent.children.push(child)
  return child
}
