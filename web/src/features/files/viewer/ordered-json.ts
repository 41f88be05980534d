/** JSON as people read it: a line an entry, set in by its depth. */

/** A text grows by its depth with each entry: what would become longer than this many times is shown as it is. */
const MOST_GROWTH = 8

export function orderedJson(text: string): string {
  if (orderedLength(text) > MOST_GROWTH * text.length) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Broken JSON is still text.
    return text
  }
}

/** Counted before anything is made: brackets and commas outside of words each begin a line. */
function orderedLength(text: string): number {
  let depth = 0
  let length = text.length
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]) {
      case '"':
        index = endOfWord(text, index)
        break
      case '[':
      case '{':
        depth += 1
        length += 1 + 2 * depth
        break
      case ']':
      case '}':
        depth = Math.max(0, depth - 1)
        length += 1 + 2 * depth
        break
      case ',':
        length += 1 + 2 * depth
        break
      default:
    }
  }
  return length
}

function endOfWord(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1
  while (text[before] === '\\') before -= 1
  return (index - before) % 2 === 0
}
