/** Answers that the server has not got yet: kept in this browser until it has, forgotten with the session. */
import type { Statement } from '@neuroloom/contract/statements'

const keyOf = (projectId: string, name: Statement): string => `statement.${projectId}.${name}`

export const draftOf = (projectId: string, name: Statement): string | null =>
  localStorage.getItem(keyOf(projectId, name))

export function keepDraft(projectId: string, name: Statement, text: string): void {
  try {
    localStorage.setItem(keyOf(projectId, name), text)
  } catch {
    // A full browser keeps nothing; the field itself still holds the text.
  }
}

export const dropDraft = (projectId: string, name: Statement): void =>
  localStorage.removeItem(keyOf(projectId, name))
