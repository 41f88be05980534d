/** Takes the text of a post apart into plain text, links to its topics, and links to other sites. */
import { splitText } from '../links.ts'

export type Piece = { kind: 'text' | 'link'; text: string } | { kind: 'topic'; text: string; topic: string }

/** `topics` are those that the server found in the text: no word becomes a link that leads to nothing. */
export function splitPost(text: string, topics: readonly string[]): Piece[] {
  return splitText(text).flatMap((part): Piece[] =>
    part.kind === 'link' ? [{ kind: 'link', text: part.text }] : splitTopics(part.text, topics),
  )
}

function splitTopics(text: string, topics: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const topic = topicAt(text, at, topics)
    if (topic === null) {
      plain += text.charAt(at)
      at += 1
      continue
    }
    if (plain !== '') pieces.push({ kind: 'text', text: plain })
    plain = ''
    const end = at + 1 + topic.length
    pieces.push({ kind: 'topic', text: text.slice(at, end), topic })
    at = end
  }
  if (plain !== '') pieces.push({ kind: 'text', text: plain })
  return pieces
}

const wordSign = /[\p{L}\p{M}\p{N}_]/u

/** The longest topic that begins behind the # here and ends where its word does. */
function topicAt(text: string, at: number, topics: readonly string[]): string | null {
  if (text[at] !== '#' || wordSign.test(text[at - 1] ?? '')) return null
  const [longest = null] = topics
    .filter((topic) => {
      const end = at + 1 + topic.length
      const [after = ''] = text.slice(end)
      return text.slice(at + 1, end).toLowerCase() === topic && !wordSign.test(after)
    })
    .sort((one, other) => other.length - one.length)
  return longest
}
