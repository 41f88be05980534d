/** What text messages and e-mails with a code say. */

import type { CodePurpose } from '@neuroloom/contract/accounts/sign-up'
import type { Language } from '@neuroloom/contract/language'
import { codes } from '@neuroloom/contract/limits'
import { sayer } from '../../infra/texts.ts'

const minutes = codes.validMs / 60_000

export const codeText = (code: string, language: Language): string =>
  sayer('letters', language)('code.text', { code, minutes })

/** An e-mail says what it is for: it may reach somebody who asked for nothing. */
export function codeMail(
  code: string,
  { purpose, language }: { purpose: CodePurpose; language: Language },
): { subject: string; text: string } {
  const say = sayer('letters', language)
  const rest = `${say('code.validity', { minutes })}\n${say('code.ignore')}`
  const text = `${say(`code.reason.${purpose}`)}\n\n    ${code}\n\n${rest}\n\nNeuroloom\n`
  return { subject: say('code.subject'), text }
}
