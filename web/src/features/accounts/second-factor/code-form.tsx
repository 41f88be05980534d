import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import formStyles from '../entrance/login-form.module.css'
import { PasswordField } from '../fields/password-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useForm } from '../use-form.ts'
import styles from './second-factor.module.css'

type CodeFormProps = {
  /** What screen readers call the form. */
  label: string
  submit: string
  send: (code: string, password: string) => Promise<unknown>
  onDone: () => void
  /** Asks for the password as well. */
  hasPassword?: boolean
  /** While it is set up, there are no recovery codes yet. */
  hasRecovery?: boolean
  /** Beside the button. */
  children?: ReactNode
}

const initial = { password: '', code: '' }

/** A code of the authenticator app or, in its place, a recovery code. */
export function CodeForm({
  label,
  submit,
  send,
  onDone,
  hasPassword = false,
  hasRecovery = true,
  children,
}: CodeFormProps) {
  const { t } = useTranslation(['second-factor', 'common'])
  const [isRecovery, setRecovery] = useState(false)
  const form = useForm({
    initial,
    prefix: 'factor',
    problemsOf: ({ password, code }) => ({
      ...(hasPassword && password === '' ? { password: t('common:form.enter_password') } : {}),
      ...(code.trim() === '' ? { code: t('common:form.enter_code') } : {}),
    }),
    send: ({ code, password }) => send(code, password),
    onDone,
    hasSlider: false,
  })
  const { draft, change, leave, problemOf } = form
  return (
    <form
      className={`${formStyles.form} ${formStyles.narrow}`}
      onSubmit={form.submit}
      noValidate
      aria-label={label}
    >
      {hasPassword && (
        <PasswordField
          id="factor-password"
          label={t('password')}
          hint={t('passwordHint')}
          kind="current"
          value={draft.password}
          problem={problemOf('password')}
          onChange={(password) => change({ password })}
          onBlur={() => leave('password')}
        />
      )}
      <TextField
        // The keyboard of a phone changes with it.
        key={String(isRecovery)}
        id="factor-code"
        label={t(isRecovery ? 'code.recovery' : 'code.app')}
        hint={isRecovery ? 'ABCDE-FGHJK' : '123456'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={40}
        value={draft.code}
        problem={problemOf('code')}
        onChange={(code) => change({ code })}
        onBlur={() => leave('code')}
      />
      <FormFailure text={form.failure} />
      <div className={styles.buttons}>
        <Button type="submit" busy={form.isBusy}>
          {submit}
        </Button>
        {hasRecovery && (
          <Button
            look="quiet"
            onClick={() => {
              setRecovery(!isRecovery)
              change({ code: '' })
              form.revisit('code')
            }}
          >
            {t(isRecovery ? 'code.useApp' : 'code.useRecovery')}
          </Button>
        )}
        {children}
      </div>
    </form>
  )
}
