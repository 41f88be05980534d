import type { TFunction } from 'i18next'
import type { Reason } from './upload-send.ts'

/** Why something was not uploaded, as a sentence. The component must have loaded the namespaces `files` and `errors`. */
export function reasonText({ name, params }: Reason, t: TFunction<['files', 'errors']>): string {
  return t([`files:reason.${name}`, `errors:${name}`, 'files:reason.internal'], params)
}
