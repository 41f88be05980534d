import type { TFunction } from 'i18next'
import type { Reason } from './upload-send.ts'

/** Why something was not uploaded, as a sentence. The component must have loaded the namespace `files`. */
export function reasonText({ name, params }: Reason, t: TFunction<'files'>): string {
  return t([`reason.${name}`, 'reason.other'], params)
}
