/** Cuts a byte stream into protocol lines and checks each against the contract; must not decide what an event means. */
import { type EngineEvent, engineEventSchema } from '@neuroloom/contract/engine'

/** A table of a few hundred thousand items would still fit; more is a program out of control. */
export const MAX_LINE_BYTES = 1024 * 1024

export type Line = { event: EngineEvent } | { ready: true } | { unreadable: string }

/** Reads a child's output to its end. A line cut by chunk borders is put together; a last line without end is dropped. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const tail = chunk.subarray(start, end)
      start = end + 1
      yield length + tail.length > MAX_LINE_BYTES
        ? { unreadable: `a line of ${length + tail.length} bytes` }
        : parseLine(Buffer.concat([...parts, tail]).toString('utf8'))
      parts = []
      length = 0
    }
    const rest = chunk.subarray(start)
    length += rest.length
    // Beyond the limit only the length is kept, so that an endless line takes no memory.
    if (length > MAX_LINE_BYTES) parts = []
    else if (rest.length > 0) parts.push(rest)
  }
}

function parseLine(text: string): Line {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { unreadable: text.slice(0, 200) }
  }
  if (isReady(value)) return { ready: true }
  const parsed = engineEventSchema.safeParse(value)
  return parsed.success ? { event: parsed.data } : { unreadable: text.slice(0, 200) }
}

/** The one line that is no event: a warm process says that torch is imported. */
const isReady = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'ready'
