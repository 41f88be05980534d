/** The assists beside the page, so that drawing never waits for them. */
import '../../../lib/jitless.ts'

import { jobs } from './jobs.ts'

type Asked = { id: number; name: keyof typeof jobs; given: never }

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { id, name, given } = data
  try {
    // Who asks names the job and gives what it takes (`ask`).
    const work = jobs[name] as (given: unknown) => { values: ArrayBufferView }
    postMessage({ id, answer: work(given) })
  } catch (error) {
    postMessage({ id, failure: String(error) })
  }
})
