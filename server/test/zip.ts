/** Writes zips as no honest program would: every field can lie. */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name: string
  bytes?: Buffer
  /** In place of the name, in whatever alphabet. */
  rawName?: Buffer
  isUtf8?: boolean
  /** Info-ZIP's extra field: the name in Unicode beside the raw one. */
  unicodePath?: string
  /** File type and rights as Unix programs store them. */
  unixType?: number
  isEncrypted?: boolean
  method?: number
  crc32?: number
  /** Unpacked size that the archive claims. */
  saidBytes?: number
  /** Points to the bytes of the entry at this place. */
  offsetOf?: number
}

export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  const offsets: number[] = []
  let offset = 0
  for (const entry of entries) {
    const name = entry.rawName ?? Buffer.from(entry.name)
    const bytes = entry.bytes ?? Buffer.alloc(0)
    const packed = deflateRawSync(bytes)
    const fields = fieldsOf(entry, { name, bytes, packed })
    const local = Buffer.concat([signature(0x04034b50), fields, name])
    const at = entry.offsetOf === undefined ? offset : (offsets[entry.offsetOf] ?? 0)
    offsets.push(at)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((entry.unixType ?? 0) << 16) >>> 0, 6)
    tail.writeUInt32LE(at, 10)
    const madeBy = Buffer.from([20, entry.unixType === undefined ? 0 : 3])
    const extra = unicodePathOf(entry, name)
    const described = Buffer.from(fields)
    described.writeUInt16LE(extra.length, 24)
    central.push(Buffer.concat([signature(0x02014b50), madeBy, described, tail, name, extra]))
    if (entry.offsetOf !== undefined) continue
    parts.push(local, packed)
    offset += local.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, signature(0x06054b50), end])
}

function unicodePathOf({ unicodePath }: ZipEntry, rawName: Buffer): Buffer {
  if (unicodePath === undefined) return Buffer.alloc(0)
  const path = Buffer.from(unicodePath)
  const head = Buffer.alloc(9)
  head.writeUInt16LE(0x7075, 0)
  head.writeUInt16LE(5 + path.length, 2)
  head.writeUInt8(1, 4)
  head.writeUInt32LE(crc32(rawName), 5)
  return Buffer.concat([head, path])
}

/** What both headers of an entry have in common. */
function fieldsOf(
  entry: ZipEntry,
  { name, bytes, packed }: { name: Buffer; bytes: Buffer; packed: Buffer },
): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE((entry.isEncrypted ? 1 : 0) | (entry.isUtf8 ? 0x800 : 0), 2)
  fields.writeUInt16LE(entry.method ?? 8, 4)
  fields.writeUInt32LE(0x5b6a0000, 6)
  fields.writeUInt32LE(entry.crc32 ?? crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(entry.saidBytes ?? bytes.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
