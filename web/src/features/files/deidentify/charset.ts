/** Reads names in the character sets that DICOM knows, as far as browsers do: only to find them in names of files. */

/** Null = none of them could be read. */
export function decodeText(value: Uint8Array, specificCharacterSet: string): string {
  const sets = specificCharacterSet.split('\\').map((set) => set.trim().replace('ISO 2022 IR ', 'ISO_IR '))
  const named = sets
    .map((set) => labels[set])
    .find((label) => label !== undefined && label !== 'windows-1252')
  // Switching between sets inside a text: the marks of the switch are no letters.
  const bytes = named === 'iso-2022-jp' ? value : value.filter((byte, index) => !isEscape(value, byte, index))
  try {
    return new TextDecoder(named ?? 'windows-1252').decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** An escape has three or four bytes: ESC, one or two marks, a letter. */
function isEscape(bytes: Uint8Array, byte: number, index: number): boolean {
  if (byte === 0x1b) return true
  for (let back = 1; back <= 3; back += 1) {
    if (bytes[index - back] !== 0x1b) continue
    return back < 3 || (bytes[index - 2] === 0x24 && (bytes[index - 1] === 0x28 || bytes[index - 1] === 0x29))
  }
  return false
}

const labels: Partial<Record<string, string>> = {
  'ISO_IR 6': 'windows-1252',
  'ISO_IR 13': 'shift_jis',
  'ISO_IR 58': 'gb18030',
  'ISO_IR 87': 'iso-2022-jp',
  'ISO_IR 100': 'windows-1252',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 149': 'euc-kr',
  'ISO_IR 159': 'iso-2022-jp',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 192': 'utf-8',
  'ISO_IR 203': 'iso-8859-15',
  GB18030: 'gb18030',
  GBK: 'gb18030',
}
