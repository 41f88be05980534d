import type { TFunction } from 'i18next'
import type { Reason } from './upload/upload-send.ts'

/** The namespaces that `reasonText` needs. */
export const reasonNamespaces = ['files', 'errors', 'uploads', 'deidentify'] as const
type ReasonNamespaces = ['files', 'errors', 'uploads', 'deidentify']

/** Why something was not uploaded, as a sentence. */
export function reasonText({ name, params }: Reason, t: TFunction<ReasonNamespaces>): string {
  if (name.startsWith('left:'))
    return t([`deidentify:reason.${name.slice(5)}`, 'files:reason.internal'], params)
  return t(
    [`uploads:look.${name}`, `files:reason.${name}`, `errors:${name}`, 'files:reason.internal'],
    params,
  )
}

/** A higher level of the membership helps. */
export const isOfPlan = ({ name }: Reason): boolean => name === 'storage_full' || name === 'plan_limit'
