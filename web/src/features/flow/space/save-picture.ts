import { saveBlob } from '../../../lib/download.ts'
import { originOf, originText, type Seen, SOFTWARE, told } from '../viewer/exports/origin.ts'
import { paintedPng } from '../viewer/exports/picture-png.ts'
import { withTexts } from '../viewer/exports/png-text.ts'
import type { FlowWorker } from '../viewer/numbers/ask-worker.ts'
import type { Painter } from './part.ts'

export type Kind = 'streams' | 'paths'

type Saving = {
  seen: Seen
  worker: FlowWorker
  painter: Painter | null
  kind: Kind
}

/** Study, sums, software and options stand in the file, as in pictures of slices. */
export async function savePicture({ seen, worker, painter, kind }: Saving): Promise<void> {
  const { choice, source } = seen
  if (!painter) throw new Error('nothing is drawn')
  // As it is seen at the click, whatever turns or plays on meanwhile.
  const drawing = paintedPng(painter.paint({}), choice.drawn.settings.imageClarity)
  const origin = originOf(seen, await worker.ask('sha256', {}))
  const png = await drawing
  const parts = withTexts(new Uint8Array(await png.arrayBuffer()), {
    Title: origin.study,
    Software: SOFTWARE,
    Comment: originText(origin),
    Description: JSON.stringify({ ...told(seen, origin), view: '3d', lines: kind }),
  })
  saveBlob(`${source.name}-3d-${choice.frame + 1}.png`, new Blob(parts, { type: 'image/png' }))
}
