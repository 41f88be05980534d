import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import * as session from '../../../lib/session.ts'
import type { SignInTicket } from '../../../lib/sign-in-ticket.ts'
import { CodeForm } from '../second-factor/code-form.tsx'

/** The second step of a sign-in. */
export function CodeStep({ ticket, byLink, onSignedIn }: SignInTicket & { onSignedIn: () => void }) {
  const { t } = useTranslation('second-factor')
  const send = async (code: string) => {
    const { token, closing, ...user } = await call('user/secondFactor', { ticket, code })
    session.start({ token, closing, user, byLink })
  }
  return <CodeForm label={t('step.title')} submit={t('step.submit')} send={send} onDone={onSignedIn} />
}
