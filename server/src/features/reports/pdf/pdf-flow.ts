/**
 * Places content so that pages are full: what can be broken goes on on the next page, and of what cannot, it is asked first
 * how much would stay white.
 *
 * 1. A heading with too little room below it goes to the next page.
 * 2. Kept content (a heading with its figure) is placed as a whole where it fits, or on the next page where little stays white.
 * 3. Else its last part waits: what follows goes ahead, and the figure comes as soon as it fits.
 */
import { page } from './pdf-look.ts'
import { tagAll } from './pdf-tags.ts'
import { type Fragment, LayoutBuilder, type Line, type Node } from './pdfmake-parts.ts'

/** A heading, the head of a table and its first row. */
const BELOW_HEADING = 110
/** No page but the last is to be less than three quarters full. */
const MOST_WHITE = 0.24 * (page.height - page.top - page.bottom)

export class Flow extends LayoutBuilder {
  private waiting: Fragment[] = []
  private isInside = false

  override processVerticalContainer(node: Node): void {
    // The outermost stack is the document; the footers come after it.
    if (this.isInside) {
      super.processVerticalContainer(node)
      return
    }
    this.isInside = true
    for (const item of node.stack ?? []) this.place(item)
    for (const fragment of this.waiting.splice(0)) this.writer.addFragment(fragment)
  }

  override buildNextLine(node: Node): Line | null {
    const line = super.buildNextLine(node)
    if (line && node.tag) line.tag = node.tag
    return line
  }

  private place(item: Node): void {
    if (item.make) this.placeMade(item)
    else if (item.isKept) this.placeKept(item.stack ?? [])
    else {
      if (item.headlineLevel && this.room() < BELOW_HEADING) this.writer.moveToNextPage()
      this.processNode(item)
    }
    this.placeWaiting()
  }

  private placeMade({ make, tag }: Node): void {
    const contents = make?.(this.room()) ?? []
    if (tag) tagAll(contents, tag)
    for (const content of contents)
      this.place(this.docMeasure.measureNode(this.docPreprocessor.preprocessNode(content)))
  }

  private placeKept(parts: readonly Node[]): void {
    const fragments = parts.map((part) => this.fragmentOf(part))
    const height = fragments.reduce((sum, one) => sum + one.height, 0)
    const isNext = this.waiting.length === 0
    if (isNext && (height <= this.room() || this.room() < MOST_WHITE)) {
      if (height > this.room()) this.writer.moveToNextPage()
      for (const fragment of fragments) this.writer.addFragment(fragment)
      return
    }
    const last = fragments.pop()
    for (const fragment of fragments) this.writer.addFragment(fragment)
    if (last) this.waiting.push(last)
  }

  private placeWaiting(): void {
    let [next] = this.waiting
    while (next && next.height <= this.room()) {
      this.writer.addFragment(next)
      this.waiting.shift()
      next = this.waiting[0]
    }
  }

  /** Laid out on a page of its own, which no document has. */
  private fragmentOf(node: Node): Fragment {
    this.writer.beginUnbreakableBlock()
    this.processNode(node)
    const { pages, y } = this.writer.context()
    this.writer.transactionLevel -= 1
    this.writer.popContext()
    const [fragment] = pages
    if (!fragment) throw new Error('A fragment has no page')
    // as it is done for blocks that are not to be broken: what is higher than a page is cut.
    fragment.height = pages.length > 1 ? page.height - page.top - page.bottom : y
    return fragment
  }

  private room(): number {
    return this.writer.context().availableHeight
  }
}
