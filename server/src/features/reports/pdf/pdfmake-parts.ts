/** The parts of pdfmake that place and draw, which it has no door for: pages are filled and tagged between them. */
import { createRequire } from 'node:module'
import type { Content, DynamicContent, Watermark } from 'pdfmake/interfaces.js'
import type { Tag } from './pdf-tags.ts'

const require = createRequire(import.meta.url)

/** A structure element of PDFKit. */
export type Element = { add: (child: unknown) => unknown }

export type PdfKit = AsyncIterable<Uint8Array> & {
  struct: (type: string, options?: { alt?: string; scope?: string }) => Element
  addStructure: (element: Element) => void
  markContent: (tag: 'Artifact', options: { type: 'Pagination' | 'Layout' }) => void
  markStructureContent: (type: string) => unknown
  endMarkedContent: () => void
  end: () => void
}

/** Content as pdfmake places it: with what this feature wrote to it. */
export type Node = {
  stack?: Node[]
  headlineLevel?: number
  tag?: Tag
  /** Its parts stay on one page; the last may go ahead to a later one. */
  isKept?: boolean
  /** Content that is made when the height that is left is known. */
  make?: (room: number) => Content[]
}

export type Line = { inlines: unknown[]; tag?: Tag }
export type Drawn = { tag?: Tag }
export type Page = { items: { type: string; item: unknown }[] }
/** What was placed aside and goes to a page as a whole. */
export type Fragment = { height: number }

type Place = {
  availableHeight: number
  y: number
  page: number
  pages: (Page & Fragment)[]
  pageMargins: { top: number }
}
type Writer = {
  transactionLevel: number
  context: () => Place
  beginUnbreakableBlock: () => void
  popContext: () => void
  moveToNextPage: () => void
  addFragment: (fragment: Fragment) => unknown
}

type Layout = {
  writer: Writer
  docPreprocessor: { preprocessNode: (node: Content) => Content }
  docMeasure: { measureNode: (node: Content) => Node }
  layoutDocument(
    content: unknown,
    document: PdfKit,
    styles: object,
    defaultStyle: object,
    background: undefined,
    header: undefined,
    footer: DynamicContent,
    watermark: Watermark | undefined,
  ): Page[]
  processNode(node: Node, isVerticalAlignmentAllowed?: boolean): void
  processVerticalContainer(node: Node): void
  buildNextLine(node: Node): Line | null
}

type Size = { width: number; height: number; orientation: 'portrait' }
type Margins = { left: number; top: number; right: number; bottom: number }

type Draw = {
  pdfDocument: PdfKit
  renderPages(pages: Page[]): void
  renderLine(line: Line, x: number, y: number): void
  renderVector(vector: unknown): void
  renderImage(image: Drawn): void
  renderSVG(svg: Drawn): void
  renderWatermark(page: Page): void
}

// as: pdfmake has no types for its parts; these are read from the version that package.json names.
const part = (name: string): unknown => (require(`pdfmake/js/${name}.js`) as { default: unknown }).default

// as: likewise.
export const PdfDocument = part('PDFDocument') as new (
  fonts: Record<string, { normal: string; bold: string }>,
  images: Record<string, string>,
  patterns: object,
  attachments: object,
  options: object,
  files: null,
  mayRead: (path: string) => boolean,
) => PdfKit
// as: likewise.
export const LayoutBuilder = part('LayoutBuilder') as new (
  size: Size,
  margins: Margins,
  svgMeasure: unknown,
) => Layout
// as: likewise.
export const SvgMeasure = part('SVGMeasure') as new () => unknown
// as: likewise.
export const Renderer = part('Renderer') as new (document: PdfKit) => Draw
