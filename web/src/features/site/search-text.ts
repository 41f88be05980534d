import { plainText } from './inline.tsx'

/** Wide and narrow forms, capitals and small letters count as the same. */
export const folded = (text: string): string => text.normalize('NFKC').toLocaleLowerCase('und')

/** Words are separated by blanks; a language without blanks is searched as it is typed. */
export const wordsOf = (query: string): string[] =>
  folded(query)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Every text below a value of a locale file, as it is read. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [plainText(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
