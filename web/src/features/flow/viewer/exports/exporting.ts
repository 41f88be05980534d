/** What can be saved of what is on the screen, and the files that need no dialogue. */
import { saveBlob } from '../../../../lib/download.ts'
import type { FlowWorker } from '../numbers/ask-worker.ts'
import type { Picture } from '../numbers/asks.ts'
import { curvesCsv } from '../sections/curves-csv.ts'
import { jsonOf, type Origin, originOf, originText, type Seen, SOFTWARE, told } from './origin.ts'
import { picturePng, type Shown } from './picture-png.ts'
import { withTexts } from './png-text.ts'

export type Exporting = Seen & {
  worker: FlowWorker
  picture: Picture
  /** As another picture of the same choice is drawn. */
  figureFor: (picture: Picture) => Shown
}

export const findOrigin = async (seen: Seen & { worker: FlowWorker }): Promise<Origin> =>
  originOf(seen, await seen.worker.ask('sha256', {}))

/** Study, sums, software and options stand in the file. */
export async function savePicture(seen: Exporting): Promise<void> {
  const { choice, picture, source } = seen
  const origin = await findOrigin(seen)
  const png = await picturePng(seen.figureFor(picture), choice.drawn.settings.imageClarity)
  const parts = withTexts(new Uint8Array(await png.arrayBuffer()), {
    Title: origin.study,
    Software: SOFTWARE,
    Comment: originText(origin),
    Description: JSON.stringify(told(seen, origin)),
  })
  const blob = new Blob(parts, { type: 'image/png' })
  saveBlob(`${source.name}-${picture.plane}-${picture.frame + 1}.png`, blob)
}

export async function saveChoices(seen: Exporting): Promise<void> {
  const text = jsonOf(told(seen, await findOrigin(seen)))
  saveBlob(`${seen.source.name}-flow.json`, new Blob([text], { type: 'application/json' }))
}

/** `mark`: a byte order mark, by which spreadsheets know UTF-8. */
export async function saveCurves(seen: Exporting, mark: 'with mark' | 'without mark'): Promise<void> {
  const table = curvesCsv(seen.facts.head, seen.cuts, await findOrigin(seen))
  const text = mark === 'with mark' ? `\uFEFF${table}` : table
  saveBlob(`${seen.source.name}-flow.csv`, new Blob([text], { type: 'text/csv' }))
}
