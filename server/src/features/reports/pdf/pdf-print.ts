/** Draws pages with pdfmake as tagged PDF: what has a place in the structure belongs to it, everything else is an artifact. */
import { buffer } from 'node:stream/consumers'
import type { Content, DynamicContent, Watermark } from 'pdfmake/interfaces.js'
import { Flow } from './pdf-flow.ts'
import { page } from './pdf-look.ts'
import type { Tag } from './pdf-tags.ts'
import {
  type Drawn,
  type Element,
  type Line,
  type Page,
  PdfDocument,
  type PdfKit,
  Renderer,
  SvgMeasure,
} from './pdfmake-parts.ts'

type Sheet = {
  title: string
  /** As BCP 47 names it. */
  language: string
  content: Content[]
  structure: Tag
  defaultStyle: object
  fonts: Record<string, { normal: string; bold: string }>
  mayRead: (path: string) => boolean
  /** As data URLs. */
  images: Record<string, string>
  footer: DynamicContent
  watermark: Watermark | undefined
}

export function print(sheet: Sheet): Promise<Buffer> {
  const { width, height, side, top, bottom } = page
  const document = new PdfDocument(
    sheet.fonts,
    sheet.images,
    {},
    {},
    {
      size: [width, height],
      // Structure came with 1.4; readers of today know 1.7.
      ...{ pdfVersion: '1.7', tagged: true, displayTitle: true, lang: sheet.language },
      ...{ compress: true, fontLayoutCache: true, bufferPages: false, autoFirstPage: false, font: null },
      info: { Title: sheet.title, Producer: 'Neuroloom', Creator: 'Neuroloom' },
    },
    null,
    sheet.mayRead,
  )
  const margins = { left: side, right: side, top, bottom }
  const pages = new Flow(
    { width, height, orientation: 'portrait' },
    margins,
    new SvgMeasure(),
  ).layoutDocument(
    { stack: sheet.content },
    document,
    {},
    sheet.defaultStyle,
    undefined,
    undefined,
    sheet.footer,
    sheet.watermark,
  )
  new TaggedRenderer(document, sheet.structure).renderPages(pages)
  document.end()
  return buffer(document)
}

class TaggedRenderer extends Renderer {
  private readonly elements = new Map<Tag, Element>()
  /** Lines that were drawn: heads of tables are repeated on each page, and read once. */
  private readonly drawn = new Set<unknown>()

  constructor(document: PdfKit, structure: Tag) {
    super(document)
    document.addStructure(this.elementOf(structure))
  }

  override renderLine(line: Line, x: number, y: number): void {
    const isRepeated = this.drawn.has(line.inlines)
    this.drawn.add(line.inlines)
    this.draw(isRepeated ? undefined : line.tag, () => super.renderLine(line, x, y))
  }

  override renderImage(image: Drawn): void {
    this.draw(image.tag, () => super.renderImage(image))
  }

  override renderSVG(svg: Drawn): void {
    this.draw(svg.tag, () => super.renderSVG(svg))
  }

  override renderVector(vector: unknown): void {
    this.draw(undefined, () => super.renderVector(vector), 'Layout')
  }

  override renderWatermark(page: Page): void {
    this.draw(undefined, () => super.renderWatermark(page))
  }

  private draw(tag: Tag | undefined, draw: () => void, type: 'Pagination' | 'Layout' = 'Pagination'): void {
    const element = tag && this.elements.get(tag)
    if (!tag || !element) {
      this.pdfDocument.markContent('Artifact', { type })
      draw()
      this.pdfDocument.endMarkedContent()
      return
    }
    const content = this.pdfDocument.markStructureContent(tag.type)
    draw()
    this.pdfDocument.endMarkedContent()
    element.add(content)
  }

  private elementOf(tag: Tag): Element {
    const { type, alt, scope, children } = tag
    const element = this.pdfDocument.struct(type, {
      ...(alt === undefined ? {} : { alt }),
      ...(scope === undefined ? {} : { scope }),
    })
    for (const child of children) element.add(this.elementOf(child))
    this.elements.set(tag, element)
    return element
  }
}
