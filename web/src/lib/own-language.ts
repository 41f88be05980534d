/** A language that a person chooses: shown at once and, of whoever is signed in, kept with the account for other browsers and for letters. */
import type { Language } from '@neuroloom/contract/language'
import { call } from './api.ts'
import { setLanguage } from './i18n.ts'
import * as session from './session.ts'

export async function chooseLanguage(language: Language): Promise<void> {
  const user = session.user()
  // What cannot be kept there is shown all the same, and kept in this browser.
  if (user !== null) call('user/edit', { userId: user.id, language }, { quiet: true }).catch(() => undefined)
  await setLanguage(language)
}
