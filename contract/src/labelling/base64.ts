/** Bytes as text for JSON (RFC 4648), the same in browser and server. */

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text += sign(three >>> 18) + sign(three >>> 12)
    text += (at + 1 < bytes.length ? sign(three >>> 6) : '=') + (at + 2 < bytes.length ? sign(three) : '=')
  }
  return text
}

const sign = (value: number): string => SIGNS[value & 63] ?? ''

/** Throws `RangeError` for what is no base64: it came over the wire. */
export function fromBase64(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0) throw new RangeError('base64 comes in fours')
  const bytes = new Uint8Array((text.length / 4) * 3)
  for (let at = 0, to = 0; at < text.length; at += 4) {
    const isLast = at + 4 === text.length
    const four =
      (valueAt(text, at) << 18) |
      (valueAt(text, at + 1) << 12) |
      ((isLast && padding === 2 ? 0 : valueAt(text, at + 2)) << 6) |
      (isLast && padding > 0 ? 0 : valueAt(text, at + 3))
    bytes[to++] = four >>> 16
    bytes[to++] = (four >>> 8) & 255
    bytes[to++] = four & 255
  }
  return padding === 0 ? bytes : bytes.subarray(0, bytes.length - padding)
}

const values = new Int8Array(128).fill(-1)
for (let value = 0; value < SIGNS.length; value++) values[SIGNS.charCodeAt(value)] = value

function valueAt(text: string, at: number): number {
  const value = values[text.charCodeAt(at)] ?? -1
  if (value < 0) throw new RangeError(`no base64 at ${at}`)
  return value
}
