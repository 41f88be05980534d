/** Turns the bytes of DICOM texts into letters, by the character sets that the file names (PS3.5, ISO 2022). */

type Decode = (bytes: Uint8Array) => string

const labels: Record<string, string> = {
  '': 'latin1',
  'ISO_IR 6': 'latin1',
  'ISO_IR 100': 'latin1',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 13': 'shift_jis',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 192': 'utf-8',
  'ISO_IR 149': 'euc-kr',
  'ISO_IR 58': 'gbk',
  'ISO_IR 87': 'latin1',
  'ISO_IR 159': 'latin1',
  GB18030: 'gb18030',
  GBK: 'gbk',
}

const by = (label: string): Decode => {
  const decoder = new TextDecoder(label)
  return (bytes) => decoder.decode(bytes)
}

/** Sets of two bytes in the lower half of the table: lifted to the upper half, they are known by another name. */
const lifted =
  (decode: Decode, before?: number): Decode =>
  (bytes) => {
    const pairs: number[] = []
    for (let index = 0; index < bytes.length; index += 1) {
      if (before !== undefined && index % 2 === 0) pairs.push(before)
      pairs.push((bytes[index] ?? 0) | 0x80)
    }
    return decode(Uint8Array.from(pairs))
  }

/** What follows an escape sequence. */
const escapes: Record<string, Decode> = {
  '(B': by('latin1'),
  '(J': by('shift_jis'),
  ')I': by('shift_jis'),
  $B: lifted(by('euc-jp')),
  '$(D': lifted(by('euc-jp'), 0x8f),
  '$)C': by('euc-kr'),
  '$)A': by('gbk'),
  '-A': by('latin1'),
  '-B': by('iso-8859-2'),
  '-C': by('iso-8859-3'),
  '-D': by('iso-8859-4'),
  '-L': by('iso-8859-5'),
  '-G': by('iso-8859-6'),
  '-F': by('iso-8859-7'),
  '-H': by('iso-8859-8'),
  '-M': by('windows-1254'),
  '-T': by('windows-874'),
}

const ESCAPE = 0x1b
/** After these, the first set counts again: `^`, `=`, `\`, line ends and tabs. */
const delimiters: ReadonlySet<number> = new Set([0x5e, 0x3d, 0x5c, 0x0a, 0x0c, 0x0d, 0x09])

/** `charset` is the value of (0008,0005), its parts separated by `\`. */
export function makeDecoder(charset: string): Decode {
  const [first = '', ...more] = charset
    .split('\\')
    .map((name) => name.trim().replace(/^ISO 2022 IR/, 'ISO_IR'))
  const plain = by(labels[first] ?? 'utf-8')
  return (bytes) => {
    if (more.length === 0 || !bytes.includes(ESCAPE)) return clean(plain(bytes))
    return clean(decodeParts(bytes, plain))
  }
}

function decodeParts(bytes: Uint8Array, plain: Decode): string {
  let text = ''
  let decode = plain
  let isWide = false
  let start = 0
  const flush = (end: number): void => {
    if (end > start) text += decode(bytes.subarray(start, end))
  }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === ESCAPE) {
      const sequence = escapeAt(bytes, at)
      flush(at)
      decode = escapes[sequence] ?? plain
      isWide = sequence === '$B' || sequence === '$(D'
      start = at + 1 + sequence.length
      at = start - 1
    } else if (delimiters.has(byte) && !isWide) {
      flush(at)
      decode = plain
      start = at
    }
  }
  flush(bytes.length)
  return text
}

function escapeAt(bytes: Uint8Array, at: number): string {
  const [first = 0, second = 0] = bytes.subarray(at + 1, at + 3)
  const length = first === 0x24 && (second === 0x28 || second === 0x29) ? 3 : 2
  return String.fromCharCode(...bytes.subarray(at + 1, at + 1 + length))
}

/** Padded with blanks or zeros. */
const clean = (text: string): string => text.replace(/[\0 ]+$/g, '').replace(/\0/g, '')
