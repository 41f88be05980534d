/** Collects what is written: new bytes and stretches of the source, joined where they touch. */
import { concat } from './dummies.ts'
import { type Part, type Source, sizeOf } from './source.ts'

/** Shorter stretches are read and written out: a file of thousands of tiny slices would be slow to send. */
const slicedBytes = 256 * 1024

export class Output {
  readonly parts: Part[] = []
  size = 0

  bytes(bytes: Uint8Array<ArrayBuffer>) {
    if (bytes.length === 0) return
    this.parts.push(bytes)
    this.size += bytes.length
  }

  copy(start: number, end: number) {
    if (end <= start) return
    const last = this.parts.at(-1)
    if (last && !(last instanceof Uint8Array) && last.end === start) last.end = end
    else this.parts.push({ start, end })
    this.size += end - start
  }

  append(other: Output) {
    for (const part of other.parts) {
      if (part instanceof Uint8Array) this.bytes(part)
      else this.copy(part.start, part.end)
    }
  }
}

/** Few parts: large stretches stay, everything between them becomes one piece of bytes each. */
export function compact(source: Source, parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  let small: Uint8Array[] = []
  const flush = () => {
    if (small.length > 0) joined.push(concat(small))
    small = []
  }
  for (const part of parts) {
    if (part instanceof Uint8Array) small.push(part)
    else if (sizeOf(part) < slicedBytes) small.push(source.read(part.start, sizeOf(part)).slice())
    else {
      flush()
      joined.push(part)
    }
  }
  flush()
  return joined
}
