/** The alphabets that texts and names without a declared one are read in. Data, and the way to the decoder that all platforms have. */

/** Those that programs of their countries wrote before Unicode, and Unicode itself. */
export const textEncodings = [
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'ibm866',
  'windows-1251',
  'windows-1252',
] as const
export type TextEncoding = (typeof textEncodings)[number]
/** Of texts also what a mark at their beginning says. */
export type MarkedEncoding = TextEncoding | 'utf-16le' | 'utf-16be'
export type OldEncoding = Exclude<TextEncoding, 'utf-8'>

/** Browsers and Node have it; the language's own library does not know. */
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string }

/** `strict` throws at what the encoding does not know, `lenient` writes � there. */
export const decoderOf = (label: string, mode: 'strict' | 'lenient') =>
  new TextDecoder(label, { fatal: mode === 'strict' })
