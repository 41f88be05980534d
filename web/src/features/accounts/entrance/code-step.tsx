import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import * as session from '../../../lib/session.ts'
import type { SignInTicket } from '../../../lib/sign-in-ticket.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeForm } from '../second-factor/code-form.tsx'
import { Entrance } from './entrance.tsx'

type CodeStepProps = { waiting: SignInTicket; onSignedIn: () => void; onBack: () => void }

/** The second step of a sign-in. */
export function CodeStep({ waiting: { ticket, byLink }, onSignedIn, onBack }: CodeStepProps) {
  const { t } = useTranslation('second-factor')
  const send = async (code: string) => {
    const { token, closing, ...user } = await call('user/secondFactor', { ticket, code })
    session.start({ token, closing, user, byLink })
  }
  return (
    <Entrance
      title={t('step.title')}
      lead={t('step.lead')}
      foot={
        <Button look="quiet" onClick={onBack}>
          {t('step.back')}
        </Button>
      }
    >
      <CodeForm label={t('step.title')} submit={t('step.submit')} send={send} onDone={onSignedIn} />
    </Entrance>
  )
}
