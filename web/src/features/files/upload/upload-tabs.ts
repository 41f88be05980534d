/** Tabs of one browser tell each other which uploads they are at, so that none is offered twice. */
import { uploads } from './uploads.ts'

const CHANNEL = 'neuroloom-uploads'
/** Other tabs answer at once; one that is busy is worth a moment. */
const WAIT_MS = 300

/** Answers other tabs from now on. */
export function answerTabs(): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === 'who') channel.postMessage([...uploads.batches()])
  }
  return () => channel.close()
}

export function batchesElsewhere(): Promise<Set<string>> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const found = new Set<string>()
    channel.onmessage = ({ data }) => {
      if (Array.isArray(data)) for (const batch of data) found.add(String(batch))
    }
    channel.postMessage('who')
    setTimeout(() => {
      channel.close()
      resolve(found)
    }, WAIT_MS)
  })
}
