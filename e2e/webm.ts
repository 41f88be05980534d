/** What a WebM film says of itself, read element by element (RFC 8794, RFC 9559): what wrote it takes no part. */

export type Webm = { frames: number; seconds: number; width: number; height: number }

/** Elements that hold others: segment, info, tracks, track, video, cluster, group of blocks. */
const HOLDERS = new Set([0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1f43b675, 0xa0])
const SIMPLE_BLOCK = 0xa3
const BLOCK = 0xa1

export function readWebm(bytes: Uint8Array): Webm {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const told = { frames: 0, duration: 0, scale: 1e6, width: 0, height: 0 }
  const walk = (from: number, to: number): void => {
    for (let at = from; at < to; ) {
      const id = number(view, at, 'with marker')
      const size = number(view, at + id.length, 'without marker')
      const start = at + id.length + size.length
      // All ones: of unknown length, up to the end of what holds it.
      const end = size.isUnknown ? to : start + size.value
      const whole = () => bytes.subarray(start, end).reduce((sum, byte) => 256 * sum + byte, 0)
      if (HOLDERS.has(id.value)) walk(start, end)
      if (id.value === SIMPLE_BLOCK || id.value === BLOCK) told.frames++
      if (id.value === 0x2ad7b1) told.scale = whole()
      if (id.value === 0x4489)
        told.duration = end - start === 8 ? view.getFloat64(start) : view.getFloat32(start)
      if (id.value === 0xb0) told.width = whole()
      if (id.value === 0xba) told.height = whole()
      at = end
    }
  }
  walk(0, bytes.length)
  const { frames, width, height } = told
  return { frames, width, height, seconds: (told.duration * told.scale) / 1e9 }
}

/** Its length stands in the zeros before its first one. */
function number(view: DataView, at: number, form: 'with marker' | 'without marker') {
  const first = view.getUint8(at)
  const length = Math.clz32(first) - 23
  let value = form === 'with marker' ? first : first & (0xff >> length)
  let isUnknown = (first & (0xff >> length)) === 0xff >> length
  for (let place = 1; place < length; place++) {
    const byte = view.getUint8(at + place)
    isUnknown &&= byte === 0xff
    value = 256 * value + byte
  }
  return { value, length, isUnknown }
}
