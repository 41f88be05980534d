/** One text for each JSON value, whatever the order of its members: what hashes are made of. */
import { createHash } from 'node:crypto'

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
