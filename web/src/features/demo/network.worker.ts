import { findCells, loadNetwork } from './inference.ts'
import model from './model/cells.onnx?url'
import type { Reply, Request } from './network.ts'
import { SIZE } from './pictures.ts'

const session = loadNetwork(model)

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  self.postMessage(await replyTo(data))
}

async function replyTo({ pixels }: Request): Promise<Reply> {
  try {
    return { answer: await findCells(await session, pixels, SIZE) }
  } catch (error) {
    return { failure: String(error) }
  }
}
