import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import * as session from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { AreaSelect } from './area-select.tsx'
import { accountOf, checkLogin, type LoginDraft, type LoginField } from './check-login.ts'
import { DragSlider } from './drag-slider.tsx'
import fieldStyles from './field.module.css'
import { describedBy, Field } from './field.tsx'
import styles from './login-form.module.css'
import { ModeSwitch } from './mode-switch.tsx'
import { PasswordField } from './password-field.tsx'

const emptyDraft: LoginDraft = { mode: 'phone', region: 'CN', phone: '', email: '', password: '' }

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation('accounts')
  const form = useLogin(onSignedIn)
  const { draft, change, leave, problemOf } = form
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate aria-label={t('login.title')}>
      <ModeSwitch mode={draft.mode} onChange={form.switchMode} />
      <Field id="login-account" label={t(`login.${draft.mode}`)} problem={problemOf('account')}>
        <div className={fieldStyles.box}>
          {draft.mode === 'phone' && (
            <AreaSelect
              region={draft.region}
              onChange={(region) => change({ region })}
              onBlur={() => draft.region === '' && leave('account')}
            />
          )}
          <input
            key={draft.mode}
            {...describedBy('login-account', problemOf('account'))}
            className={fieldStyles.input}
            type={draft.mode === 'phone' ? 'tel' : 'email'}
            autoComplete={draft.mode === 'phone' ? 'tel-national' : 'email'}
            placeholder={t(`login.${draft.mode}Hint`)}
            value={draft.mode === 'phone' ? draft.phone : draft.email}
            onChange={({ target }) =>
              change(draft.mode === 'phone' ? { phone: target.value } : { email: target.value })
            }
            onBlur={() => leave('account')}
          />
        </div>
      </Field>
      <PasswordField
        value={draft.password}
        problem={problemOf('password')}
        onChange={(password) => change({ password })}
        onBlur={() => leave('password')}
      />
      <DragSlider key={form.attempt} onProof={form.setProof} />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('login.submit')}
      </Button>
    </form>
  )
}

function useLogin(onSignedIn: () => void) {
  const { t } = useTranslation(['accounts', 'common'])
  const [draft, setDraft] = useState(emptyDraft)
  const [left, setLeft] = useState<ReadonlySet<LoginField>>(new Set())
  const [proof, setProof] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const problems = checkLogin(draft)

  const signIn = async (given: string) => {
    setIsBusy(true)
    try {
      const { token, ...user } = await call('user/login', {
        account: accountOf(draft),
        password: draft.password,
        ocibe: 1,
        proof: given,
      })
      session.start({ token, user })
      onSignedIn()
    } catch {
      // `call` has told why. A proof counts once: the slider starts anew.
      setProof(null)
      setAttempt((count) => count + 1)
      setIsBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return toast.warning(t('common:wait'))
    setLeft(new Set(['account', 'password']))
    const wrong = Object.keys(problems)[0]
    if (wrong !== undefined) return document.getElementById(`login-${wrong}`)?.focus()
    if (proof === null) return toast.warning(t('slider.first'))
    void signIn(proof)
  }

  return {
    draft,
    attempt,
    isBusy,
    submit,
    setProof,
    change: (changes: Partial<LoginDraft>) => setDraft({ ...draft, ...changes }),
    leave: (field: LoginField) => setLeft(new Set([...left, field])),
    switchMode: (mode: LoginDraft['mode']) => {
      setDraft({ ...draft, mode })
      setLeft(new Set([...left].filter((field) => field !== 'account')))
    },
    /** Said once the field was left, not while somebody types for the first time. */
    problemOf: (field: LoginField): string | null => {
      const problem = problems[field]
      return problem !== undefined && left.has(field) ? t(`login.problem.${problem}`) : null
    },
  }
}
