/** Values that stand in for removed ones: harmless, and of the kind that the attribute wants. */
import { type Encoding, element, elementHeader, itemTag } from './encoding.ts'

type Kind = { tag: number; vr: string; encoding: Encoding }

/** A dummy for the value of a plain attribute; `length` is that of the old one, which numbers keep. */
export function dummyValue(vr: string, length: number): Uint8Array {
  const text = texts[vr]
  if (text !== undefined) return ascii(text)
  return new Uint8Array(vr.startsWith('O') || vr === 'UN' ? 2 : length)
}

/** A sequence with one item that says nothing, written with defined lengths. */
export function dummySequence({ tag, vr, encoding }: Kind): Uint8Array<ArrayBuffer> {
  const content = concat(itemsOf[tag]?.(encoding) ?? (codeSequences.has(tag) ? code(encoding) : []))
  const item = concat([elementHeader({ tag: itemTag, vr: '', encoding }, content.length), content])
  return concat([elementHeader({ tag, vr, encoding }, item.length), item])
}

export const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

/** An item of a coded entry. */
export const codeItem = (encoding: Encoding, [value, scheme, meaning]: [string, string, string]) => [
  text(encoding, 0x00080100, 'SH', value),
  text(encoding, 0x00080102, 'SH', scheme),
  text(encoding, 0x00080104, 'LO', meaning),
]

export const text = (encoding: Encoding, tag: number, vr: string, value: string) =>
  element({ tag, vr, encoding }, ascii(value))

const removed = 'ANONYMIZED'

const texts: Partial<Record<string, string>> = {
  AE: removed,
  AS: '000Y',
  CS: removed,
  DA: '19000101',
  DS: '0',
  DT: '19000101000000',
  IS: '0',
  LO: removed,
  LT: removed,
  PN: removed,
  SH: removed,
  ST: removed,
  TM: '000000',
  UC: removed,
  UR: 'urn:removed',
  UT: removed,
}

const code = (encoding: Encoding) => codeItem(encoding, ['0', '99REMOVED', removed])

const codeSequences = new Set([0x00401101, 0x00080082])

const nested = (encoding: Encoding, tag: number, items: Uint8Array[]) => {
  const content = concat(items)
  const item = concat([elementHeader({ tag: itemTag, vr: '', encoding }, content.length), content])
  return concat([elementHeader({ tag, vr: 'SQ', encoding }, item.length), item])
}

/** Items that would not be valid when empty. */
const itemsOf: Partial<Record<number, (encoding: Encoding) => Uint8Array[]>> = {
  // Content Sequence: one line of text.
  4237104: (encoding) => [
    text(encoding, 0x0040a010, 'CS', 'CONTAINS'),
    text(encoding, 0x0040a040, 'CS', 'TEXT'),
    nested(encoding, 0x0040a043, code(encoding)),
    text(encoding, 0x0040a160, 'UT', removed),
  ],
  // Verifying Observer Sequence.
  4235379: (encoding) => [
    text(encoding, 0x0040a027, 'LO', removed),
    text(encoding, 0x0040a030, 'DT', '19000101000000'),
    text(encoding, 0x0040a075, 'PN', removed),
    element({ tag: 0x0040a088, vr: 'SQ', encoding }, new Uint8Array()),
  ],
}
