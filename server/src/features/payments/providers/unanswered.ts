/** Why a provider gave no answer, in a word that holds neither addresses nor bodies. */
import { ProviderError } from '../provider.ts'

export function unanswered(provider: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  return new ProviderError(`${provider}: no answer (${wordOf(error)})`)
}

/** `ECONNREFUSED` and the like stand in the cause, where there is one. */
function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause instanceof Error ? wordOf(error.cause) : error.name
}
