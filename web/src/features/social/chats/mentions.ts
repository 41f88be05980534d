/** Names behind an @ in the text that is being written. Pure functions. */
import type { Person } from '@neuroloom/contract/social/people'

/** What was typed behind the last @ before the caret; null where no name is being typed. */
export function mentionQuery(text: string, caret: number): { from: number; query: string } | null {
  const found = /(?:^|\s)@([^\s@]{0,30})$/u.exec(text.slice(0, caret))
  if (!found) return null
  const [, query = ''] = found
  return { from: caret - query.length - 1, query }
}

/** Those whose name contains what was typed, whose beginning matches first. */
export function matchingPeople<P extends Person>(people: readonly P[], query: string, most = 8): P[] {
  const typed = query.toLocaleLowerCase()
  const found = people.filter(({ nickName }) => nickName.toLocaleLowerCase().includes(typed))
  const begins = ({ nickName }: P) => (nickName.toLocaleLowerCase().startsWith(typed) ? 0 : 1)
  return found.sort((one, other) => begins(one) - begins(other)).slice(0, most)
}

/** The text with a name in the place of what was typed behind the @, and where the caret then is. */
export function insertMention(
  text: string,
  { from, caret, name }: { from: number; caret: number; name: string },
): { text: string; caret: number } {
  const inserted = `@${name} `
  return { text: text.slice(0, from) + inserted + text.slice(caret), caret: from + inserted.length }
}

/** Of those who were chosen: whose name still stands in the text. */
export const namedIn = (text: string, chosen: readonly Pick<Person, 'id' | 'nickName'>[]): string[] => [
  ...new Set(chosen.filter(({ nickName }) => text.includes(`@${nickName}`)).map(({ id }) => id)),
]
