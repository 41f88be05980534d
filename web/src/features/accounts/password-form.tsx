import { type FormProblem, passwordProblem } from '@neuroloom/contract/accounts/form-rules'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import * as session from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import formStyles from './entrance/login-form.module.css'
import { NewPasswordFields } from './fields/new-password-fields.tsx'
import { PasswordField } from './fields/password-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { useProblemTexts } from './problem-texts.ts'
import styles from './sign-ins.module.css'
import { useForm } from './use-form.ts'

/** Changes the password; the next change begins with empty fields. */
export function ChangePassword() {
  const { t } = useTranslation('account')
  const [count, setCount] = useState(0)
  return (
    <>
      <p className={styles.lead}>{t('password.text')}</p>
      <div className={formStyles.narrow}>
        <PasswordForm key={count} onDone={() => setCount(count + 1)} />
      </div>
    </>
  )
}

const initial = { old: '', password: '', confirm: '' }
type Draft = typeof initial

type PasswordFormProps = {
  /** On a page of its own, where the button is as wide as the fields. */
  isEntrance?: boolean
  onDone: () => void
}

/** The present password and, twice, the new one. */
export function PasswordForm({ isEntrance = false, onDone }: PasswordFormProps) {
  const { t } = useTranslation('account')
  const texts = useProblemTexts()
  const form = useForm({
    initial,
    prefix: 'change',
    problemsOf: (draft: Draft) => texts(problemsOf(draft)),
    send: change,
    onDone: () => {
      toast.success(t('password.done'))
      onDone()
    },
    hasSlider: false,
  })
  const { draft, problemOf, leave } = form
  const button = (
    <Button type="submit" size={isEntrance ? 'large' : 'normal'} busy={form.isBusy}>
      {t('password.submit')}
    </Button>
  )
  return (
    <form className={formStyles.form} onSubmit={form.submit} noValidate aria-label={t('tab.password')}>
      <PasswordField
        id="change-old"
        label={t('password.old')}
        hint={t('password.oldHint')}
        kind="current"
        value={draft.old}
        problem={problemOf('old')}
        onChange={(old) => form.change({ old })}
        onBlur={() => leave('old')}
      />
      <NewPasswordFields
        prefix="change"
        values={draft}
        problemOf={problemOf}
        onChange={form.change}
        onLeave={leave}
      />
      <FormFailure text={form.failure} />
      {isEntrance ? button : <div>{button}</div>}
    </form>
  )
}

function problemsOf({ old, password, confirm }: Draft): Partial<Record<keyof Draft, FormProblem>> {
  const problem = passwordProblem(password)
  return {
    ...(old === '' ? { old: 'enter_password' as const } : {}),
    ...(problem ? { password: problem } : {}),
    ...(!problem && password === old ? { password: 'password_same' as const } : {}),
    ...(confirm === password ? {} : { confirm: 'passwords_differ' as const }),
  }
}

/** Every other session has ended; this one goes on under its new token. */
async function change({ old, password }: Draft): Promise<void> {
  const userId = session.user()?.id ?? ''
  session.renew(await call('user/password', { userId, old, password }))
}
