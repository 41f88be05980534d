/** Opens pictures and runs the network on them, one after the other. */
import '../../lib/jitless.ts'

import type { Question, Reply } from './asker.ts'
import { failureOf } from './failure.ts'
import { answerOf, type Network, openNetwork } from './network.ts'
import { openPicture } from './open-picture.ts'
import { type Picture, toRgba, turned } from './picture.ts'

let network: Promise<Network> | null = null
let picture: Picture | null = null

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  try {
    if ('network' in data) {
      network = openNetwork(data.network)
      await network
    } else await look(data)
  } catch (error) {
    console.warn(error)
    reply({ kind: 'failure', failure: failureOf(error) })
  }
}

async function look(question: { file: Blob } | { turn: true }): Promise<void> {
  if ('file' in question) picture = await openPicture(question.file)
  else if (picture) picture = turned(picture)
  if (!picture || !network) return
  const { width, height } = picture
  reply({ kind: 'picture', shown: { width, height, rgba: toRgba(picture) } })
  const opened = await network
  const begin = performance.now()
  const answer = await answerOf(opened, picture, (done, of) => reply({ kind: 'part', done, of }))
  reply({ kind: 'answer', answer, milliseconds: performance.now() - begin })
}

const reply = (message: Reply): void => self.postMessage(message)
