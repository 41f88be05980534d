import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import * as session from '../../../lib/session.ts'
import { ticketOf } from '../../../lib/sign-in-ticket.ts'
import { Button } from '../../../ui/button.tsx'
import fieldStyles from '../fields/field.module.css'
import { describedBy, Field } from '../fields/field.tsx'
import { PasswordField } from '../fields/password-field.tsx'
import { PhoneField } from '../fields/phone-field.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useProblemTexts } from '../problem-texts.ts'
import { useForm } from '../use-form.ts'
import { accountOf, checkLogin, type LoginDraft } from './check-login.ts'
import { DragSlider } from './drag-slider.tsx'
import { keepMode, lastMode } from './last-mode.ts'
import styles from './login-form.module.css'
import { ModeSwitch } from './mode-switch.tsx'

const empty: Omit<LoginDraft, 'mode'> = { region: 'CN', phone: '', email: '', password: '' }

type LoginFormProps = {
  onSignedIn: () => void
  /** The password was right, and the account has a second factor. */
  onCodeNeeded: (ticket: string) => void
}

export function LoginForm({ onSignedIn, onCodeNeeded }: LoginFormProps) {
  const { t } = useTranslation('accounts')
  const texts = useProblemTexts()
  const ticket = useRef<string | null>(null)
  const [initial] = useState<LoginDraft>(() => ({ ...empty, mode: lastMode() }))
  const form = useForm({
    initial,
    prefix: 'login',
    problemsOf: (draft: LoginDraft) => texts(checkLogin(draft)),
    send: async (draft, proof) => {
      ticket.current = await signIn(draft, proof)
      keepMode(draft.mode)
    },
    onDone: () => (ticket.current === null ? onSignedIn() : onCodeNeeded(ticket.current)),
  })
  const { draft, change, leave, problemOf } = form
  const isLeftUnused = useFirstFocus(`login-${initial.mode}`)
  const leaveAccount = () => {
    // Nobody asked for the focus here. A problem told now would move what is being pressed.
    if (!isLeftUnused()) leave(draft.mode)
  }
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate aria-label={t('login.title')}>
      <ModeSwitch
        label={t('login.mode')}
        modes={{ phone: t('login.phoneMode'), email: t('login.emailMode') }}
        mode={draft.mode}
        onChange={(mode) => {
          change({ mode })
          form.revisit(mode)
        }}
      />
      {draft.mode === 'phone' ? (
        <PhoneField
          id="login-phone"
          region={draft.region}
          phone={draft.phone}
          problem={problemOf('phone')}
          onChange={change}
          onBlur={leaveAccount}
        />
      ) : (
        <Field id="login-email" label={t('login.email')} problem={problemOf('email')}>
          <div className={fieldStyles.box}>
            <input
              {...describedBy('login-email', problemOf('email'))}
              className={fieldStyles.input}
              type="email"
              autoComplete="email"
              placeholder={t('login.emailHint')}
              value={draft.email}
              onChange={({ target }) => change({ email: target.value })}
              onBlur={leaveAccount}
            />
          </div>
        </Field>
      )}
      <PasswordField
        id="login-password"
        label={t('login.password')}
        hint={t('login.passwordHint')}
        kind="current"
        value={draft.password}
        problem={problemOf('password')}
        onChange={(password) => change({ password })}
        onBlur={() => leave('password')}
      />
      <DragSlider key={form.attempt} purpose="login" account={accountOf(draft)} {...form.slider} />
      <FormFailure text={form.failure} />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('login.submit')}
      </Button>
    </form>
  )
}

/**
 * Focuses the field when the form appears. Answers whether it is left by a press beside it before anything was done in it;
 * once.
 */
function useFirstFocus(id: string): () => boolean {
  const use = useRef<'none' | 'pressedBeside' | 'used'>('none')
  useEffect(() => {
    const field = document.getElementById(id)
    if (!field) return
    field.focus()
    const stop = new AbortController()
    const { signal } = stop
    const press = ({ target }: Event) => {
      if (use.current === 'none' && target !== field) use.current = 'pressedBeside'
    }
    const begin = () => {
      use.current = 'used'
    }
    window.addEventListener('pointerdown', press, { signal, capture: true })
    for (const kind of ['keydown', 'pointerdown', 'input']) field.addEventListener(kind, begin, { signal })
    return () => stop.abort()
  }, [id])
  return () => {
    const isPressedBeside = use.current === 'pressedBeside'
    use.current = 'used'
    return isPressedBeside
  }
}

/** Null once signed in; else the ticket of the second step. */
async function signIn(draft: LoginDraft, proof: string): Promise<string | null> {
  const body = { account: accountOf(draft), password: draft.password, ocibe: 1, proof }
  try {
    const { token, closing, ...user } = await call('user/login', body)
    session.start({ token, closing, user })
    return null
  } catch (error) {
    const ticket = ticketOf(error)
    if (ticket === null) throw error
    return ticket
  }
}
