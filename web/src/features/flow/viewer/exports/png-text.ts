/** Words inside a PNG, after "Portable Network Graphics", section 11.3.3.4 (iTXt): whoever opens the file later knows what it shows. Pure. */

/** Signature and IHDR: words go behind them. */
const HEAD = 33

/** Keywords are those of the specification, as Title or Comment. */
export function withTexts(
  png: Uint8Array,
  texts: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer>[] {
  const chunks = Object.entries(texts).map(([keyword, text]) =>
    // Not packed, in no language.
    chunk('iTXt', new TextEncoder().encode(`${keyword}\0\0\0\0\0${text}`)),
  )
  return [png.slice(0, HEAD), ...chunks, png.slice(HEAD)]
}

function chunk(name: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + body.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, body.length)
  bytes.set(new TextEncoder().encode(name), 4)
  bytes.set(body, 8)
  view.setUint32(8 + body.length, crc(bytes.subarray(4, 8 + body.length)))
  return bytes
}

/** CRC-32, as the annex of the specification has it. */
function crc(bytes: Uint8Array): number {
  let rest = 0xffff_ffff
  for (const byte of bytes) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1
  }
  return (rest ^ 0xffff_ffff) >>> 0
}
