/** Pictures of a report on paper: in rows, each with its name and what is said of it. */
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { Column, Content } from 'pdfmake/interfaces.js'
import type { PdfPicture } from './pdf.ts'
import { inner, quiet } from './pdf-look.ts'
import { breakable } from './pdf-tables.ts'
import { figure, kept } from './pdf-tags.ts'

type Block = Extract<ReportBlock, { kind: 'pictures' }>
type Pictures = Readonly<Record<string, PdfPicture>>

const GAP = 8
const HIGHEST = 220

/** Six beside each other, or two wide or large ones. */
export function picturesOf(block: Block, pictures: Pictures): Content[] {
  const across = isWide(block, pictures) || block.isLarge ? 2 : 6
  const [first, ...rest] = rowsOf(block, pictures, { across, width: inner, highest: HIGHEST })
  const above: Content = { text: block.text, margin: [0, 0, 0, 4] }
  return first === undefined ? [above] : [kept([above, first]), ...rest.map((row) => kept([row]))]
}

/** Pictures that take half of the width; more would be too small beside others. */
const FEW = 3
const LOW = 90

/** Two blocks of few pictures beside each other; null where they are too many or too large for that. */
export function pairOfPictures(one: Block, other: Block, pictures: Pictures): Content | null {
  const blocks = [one, other]
  if (blocks.some((block) => block.pictures.length > FEW || block.isLarge)) return null
  const width = (inner - 2 * GAP) / 2
  const columns = blocks.map((block): Column => {
    const across = isWide(block, pictures) ? 1 : FEW
    const rows = rowsOf(block, pictures, { across, width, highest: LOW })
    return { stack: [{ text: block.text, bold: true, margin: [0, 0, 0, 3] }, ...rows], width }
  })
  return kept([{ columns, columnGap: 2 * GAP, margin: [0, 0, 0, 4] }])
}

const isWide = ({ pictures: shown }: Block, pictures: Pictures): boolean =>
  shown.some(({ url }) => (pictures[url]?.width ?? 0) > 1.8 * (pictures[url]?.height ?? 1))

type Room = { across: number; width: number; highest: number }

function rowsOf({ pictures: shown }: Block, pictures: Pictures, { across, width, highest }: Room): Content[] {
  const each = (width - GAP * (across - 1)) / across
  const cells = shown.map(({ url, name, caption }): Column => {
    const { width: side = 1, height = 1 } = pictures[url] ?? {}
    const fittedWidth = Math.min(each, (side / height) * highest)
    return {
      stack: [
        figure({ image: url, width: fittedWidth }, `${name}. ${caption}`),
        { text: breakable(name), fontSize: 7, bold: true, margin: [0, 1, 0, 0] },
        { text: caption, fontSize: 7, color: quiet },
      ],
      width: each,
    }
  })
  const rows: Content[] = []
  for (let start = 0; start < cells.length; start += across)
    rows.push({ columns: cells.slice(start, start + across), columnGap: GAP, margin: [0, 0, 0, 6] })
  return rows
}
