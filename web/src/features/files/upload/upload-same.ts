/** Knows a file again by what the server has of it; nothing is sent for that. */
import type { Answer } from '@neuroloom/contract/calls'
import { checksum } from './checksum.ts'

type AskReceived = (upload: string, fromBlock: number) => Promise<Answer<'files/received'>>

/** How much of the file has arrived; 0 when the server has other bytes, so that it is sent from the start. */
export async function sameSoFar(file: File, upload: string, ask: AskReceived): Promise<number> {
  let block = 0
  for (;;) {
    const { receivedBytes, blockBytes, sums, next } = await ask(upload, block)
    if (receivedBytes > file.size) return 0
    for (const sum of sums) {
      const start = block * blockBytes
      const part = file.slice(start, Math.min(start + blockBytes, receivedBytes))
      if ((await checksum(new Uint8Array(await part.arrayBuffer()))) !== sum) return 0
      block += 1
    }
    if (next === null) return receivedBytes
    block = next
  }
}
