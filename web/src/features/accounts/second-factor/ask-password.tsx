import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import formStyles from '../entrance/login-form.module.css'
import { PasswordField } from '../fields/password-field.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useForm } from '../use-form.ts'
import styles from './second-factor.module.css'

type AskPasswordProps = {
  label: string
  submit: string
  send: (password: string) => Promise<unknown>
  /** Beside the button. */
  children?: ReactNode
}

/** The password once more, of somebody who is signed in. */
export function AskPassword({ label, submit, send, children }: AskPasswordProps) {
  const { t } = useTranslation(['second-factor', 'common'])
  const form = useForm({
    initial: { password: '' },
    prefix: 'ask',
    problemsOf: ({ password }): { password?: string } =>
      password === '' ? { password: t('common:form.enter_password') } : {},
    send: ({ password }) => send(password),
    onDone: () => undefined,
    hasSlider: false,
  })
  return (
    <form
      className={`${formStyles.form} ${formStyles.narrow}`}
      onSubmit={form.submit}
      noValidate
      aria-label={label}
    >
      <PasswordField
        id="ask-password"
        label={t('password')}
        hint={t('passwordHint')}
        kind="current"
        value={form.draft.password}
        problem={form.problemOf('password')}
        onChange={(password) => form.change({ password })}
        onBlur={() => form.leave('password')}
      />
      <FormFailure text={form.failure} />
      <div className={styles.buttons}>
        <Button type="submit" busy={form.isBusy}>
          {submit}
        </Button>
        {children}
      </div>
    </form>
  )
}
