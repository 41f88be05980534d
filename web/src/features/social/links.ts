/** Finds addresses in a text that a member wrote. Only http and https become links; everything else stays text. */

type TextPart = { kind: 'text' | 'link' | 'name'; text: string }

// Chinese punctuation ends an address: no blank stands before it.
const address = /https?:\/\/[^\s<>"'`，。；：！？、（）【】《》「」“”‘’]+/giu
/** Belongs to the sentence around an address, not to the address. */
const trailing = /[.,;:!?)\]}…*_~]+$/u

/** Splits a text into plain parts, links, and the given names behind an @. */
export function splitText(text: string, names: readonly string[] = []): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const link = withoutTrailing(found)
    if (!isWebAddress(link)) continue
    parts.push(...splitNames(text.slice(end, index), names), { kind: 'link', text: link })
    end = index + link.length
  }
  parts.push(...splitNames(text.slice(end), names))
  return parts
}

function splitNames(text: string, names: readonly string[]): TextPart[] {
  if (text === '') return []
  const marks = names.filter((name) => name !== '').map((name) => `@${name}`)
  // The longest first: "@Doctor on call" is not "@Doctor".
  const first = marks
    .sort((one, other) => other.length - one.length)
    .map((mark) => ({ mark, at: text.indexOf(mark) }))
    .filter(({ at }) => at !== -1)
    .reduce<{ mark: string; at: number } | null>(
      (best, one) => (best && best.at <= one.at ? best : one),
      null,
    )
  if (first === null) return [{ kind: 'text', text }]
  const { mark, at } = first
  const before: TextPart[] = at === 0 ? [] : [{ kind: 'text', text: text.slice(0, at) }]
  return [...before, { kind: 'name', text: mark }, ...splitNames(text.slice(at + mark.length), names)]
}

/** A closing bracket stays where the address itself opened one. */
function withoutTrailing(found: string): string {
  let link = found
  for (;;) {
    const [ending = ''] = trailing.exec(link) ?? []
    if (ending === '') return link
    const last = link.slice(-1)
    if (last === ')' && count(link, '(') >= count(link, ')')) return link
    link = link.slice(0, -1)
  }
}

const count = (text: string, letter: string): number => text.split(letter).length - 1

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && hostname !== ''
}
