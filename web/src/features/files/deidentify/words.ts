/** Finds the names and numbers of people where the profile does not look: in texts that otherwise stay. */

/** Words of a raw value that are long enough to mean somebody. */
export function wordsOf(values: readonly Uint8Array[]): string[] {
  const words = new Set<string>()
  for (const value of values) {
    for (const word of binaryText(value).split(/[\^=\\ \0,;/()]+/)) {
      if (isTelling(word)) words.add(word.toLowerCase())
    }
  }
  return [...words]
}

/** A test for these words as whole words, in raw bytes of whatever character set; null = nothing to look for. */
export function wordTest(words: readonly string[]): ((value: Uint8Array) => boolean) | null {
  if (words.length === 0) return null
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // Letters beyond ASCII are two or more bytes, so that a border between bytes says nothing there.
  const pattern = new RegExp(`(?<![a-z0-9])(?:${escaped.join('|')})(?![a-z0-9])`)
  return (value) => pattern.test(binaryText(value).toLowerCase())
}

/** Whether a value of unknown kind is text: printable, and more than a number, a code or a UID. */
export function looksLikeText(value: Uint8Array): boolean {
  let hasLetter = false
  for (const byte of value) {
    if (byte < 0x20 && ![0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)) return false
    hasLetter ||= (byte >= 0x41 && byte <= 0x7a) || byte >= 0x80
  }
  return hasLetter
}

/** One letter a byte. */
export function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return text
}

const tooGeneral =
  /^(anon[a-z]*|unknown|none|null|phantom|test|patient|name|male|female|doctor|prof|19000101|0+)$/i

function isTelling(word: string): boolean {
  const isWide = /[\u0080-\u00ff]/.test(word)
  return (
    word.length >= (isWide ? 4 : 3) && word.length <= 64 && !tooGeneral.test(word) && !/^anon-/i.test(word)
  )
}
