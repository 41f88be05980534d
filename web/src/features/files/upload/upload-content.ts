/** What a file is by its first bytes, against what its name says; only kinds that can be told for sure. */
const starts: readonly { kind: string; at: number; bytes: readonly number[] }[] = [
  { kind: 'png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { kind: 'jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { kind: 'gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { kind: 'bmp', at: 0, bytes: [0x42, 0x4d] },
  { kind: 'webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { kind: 'tiff', at: 0, bytes: [0x49, 0x49, 0x2a, 0x00] },
  { kind: 'tiff', at: 0, bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { kind: 'tiff', at: 0, bytes: [0x49, 0x49, 0x2b, 0x00] },
  { kind: 'tiff', at: 0, bytes: [0x4d, 0x4d, 0x00, 0x2b] },
  { kind: 'pdf', at: 0, bytes: [0x25, 0x50, 0x44, 0x46] },
  { kind: 'zip', at: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  // Without any entry.
  { kind: 'zip', at: 0, bytes: [0x50, 0x4b, 0x05, 0x06] },
  { kind: 'gzip', at: 0, bytes: [0x1f, 0x8b] },
]

const endings: Readonly<Record<string, string>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jfif: 'jpeg',
  gif: 'gif',
  bmp: 'bmp',
  webp: 'webp',
  tif: 'tiff',
  tiff: 'tiff',
  pdf: 'pdf',
  zip: 'zip',
  gz: 'gzip',
  tgz: 'gzip',
}

/** By its ending; null where a name promises nothing that the first bytes could show. */
export function nameKind(path: string): string | null {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? (endings[ending] ?? null) : null
}

export function contentKind(head: Uint8Array): string | null {
  const found = starts.find(({ at, bytes }) => bytes.every((value, index) => head[at + index] === value))
  return found?.kind ?? null
}

type Size = { width: number; height: number }

/** Of the pictures that every browser opens; null where the first bytes do not tell. */
export function pictureSize(kind: string, head: Uint8Array): Size | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (kind === 'png' && head.length >= 24) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (kind === 'gif' && head.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (kind === 'bmp' && head.length >= 26)
    return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) }
  return kind === 'jpeg' ? jpegSize(view) : null
}

/** Walks the segments up to the frame header. */
function jpegSize(view: DataView): Size | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}
