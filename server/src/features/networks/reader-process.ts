import type { DataFacts } from '@neuroloom/contract/network/bind'
import { read } from './reading.ts'

/** One answer for each question, in their order, until the server is gone; see reader.ts. */
process.on('message', ({ text, data }: { text: string; data: DataFacts }) => {
  process.send?.(read(text, data))
})
