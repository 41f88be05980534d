/** Tables: one of boxes, one of labels of whole images. Numbers in pixels, angles in degrees. */
import { boundsOf } from '../geometry.ts'
import { extentsOf } from '../segments.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'

const BOXES = 'boxes.csv'

export async function* writeCsv({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const names = new Map(classes.map(({ id, name }) => [id, name]))
  const tagged: string[] = []
  yield text(BOXES, '\ufefffile,class,x,y,width,height,angle,slice\r\n')
  for await (const image of images) {
    for (const id of image.marks.tags) tagged.push(row([image.name, names.get(id) ?? '']))
    const rows = [...boxesIn(image)].map(({ owner, numbers }) =>
      row([image.name, names.get(owner) ?? '', ...numbers]),
    )
    // An image without boxes is named, too: there is nothing on it.
    if (rows.length > 0) yield text(BOXES, rows.join(''))
    else yield text(BOXES, row([image.name, '', '', '', '', '', '', '']))
  }
  if (tagged.length > 0) yield text('labels.csv', `\ufefffile,label\r\n${tagged.join('')}`)
}

const row = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

const cell = (value: string | number): string =>
  typeof value === 'string' && /[",\r\n;\t]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value)

function* boxesIn({ marks }: LabelledImage): Iterable<{ owner: string; numbers: number[] }> {
  for (const { shape, place, class: owner } of marks.things.values()) {
    if (place.axis !== 2 || shape.kind === 'line' || shape.kind === 'points') continue
    if (shape.kind === 'box') {
      const { x, y, width, height, angle } = shape
      yield { owner, numbers: [x, y, width, height, angle, place.slice] }
    } else {
      const { x0, y0, x1, y1 } = boundsOf(shape)
      yield { owner, numbers: [x0, y0, x1 - x0, y1 - y0, 0, place.slice] }
    }
  }
  for (const { number, slice, x0, y0, x1, y1 } of extentsOf(marks.pixels)) {
    const owner = marks.segments.get(number)?.class
    if (owner !== undefined) yield { owner, numbers: [x0, y0, x1 - x0, y1 - y0, 0, slice] }
  }
}
