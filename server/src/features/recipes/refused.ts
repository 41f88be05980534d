import { fail } from '../../http/fail.ts'
import { AskFailure } from '../../infra/engine/asked.ts'

/** Why the engine gave a page no answer, in words of the contract. */
export function refused(error: unknown): never {
  if (!(error instanceof AskFailure)) throw error
  if (error.reason === 'own') throw fail('too_much_at_once')
  throw error.reason === 'busy' ? fail('busy') : fail('work_too_large')
}
