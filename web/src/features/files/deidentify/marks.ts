/** What a treated file says of itself: that patient data was removed, how, and that its dates mean nothing. */
import { ascii, codeItem, concat } from './dummies.ts'
import { type Encoding, element, elementHeader, itemTag } from './encoding.ts'

export type Mark = { tag: number; bytes: Uint8Array<ArrayBuffer> }

/** In the order of tags. */
export function marksFor(encoding: Encoding): Mark[] {
  const plain = (tag: number, vr: string, value: string) => ({
    tag,
    bytes: element({ tag, vr, encoding }, ascii(value)),
  })
  return [
    plain(0x00120062, 'CS', 'YES'),
    plain(0x00120063, 'LO', 'DICOM PS3.15 Annex E Basic Profile 2026c'),
    { tag: 0x00120064, bytes: methodCode(encoding) },
    plain(0x00280303, 'CS', 'REMOVED'),
  ]
}

function methodCode(encoding: Encoding): Uint8Array<ArrayBuffer> {
  const content = concat(codeItem(encoding, ['113100', 'DCM', 'Basic Application Confidentiality Profile']))
  const item = concat([elementHeader({ tag: itemTag, vr: '', encoding }, content.length), content])
  return concat([elementHeader({ tag: 0x00120064, vr: 'SQ', encoding }, item.length), item])
}
