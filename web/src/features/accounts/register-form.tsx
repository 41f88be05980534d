import { type FormProblem, phoneProblem, shortFormProblems } from '@neuroloom/contract/form-rules'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { AgreementDialog } from './agreement-dialog.tsx'
import { callingCodeOf } from './calling-codes.ts'
import { fullPhone } from './check-login.ts'
import { CodeField } from './code-field.tsx'
import { DragSlider } from './drag-slider.tsx'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'
import formStyles from './login-form.module.css'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PhoneField } from './phone-field.tsx'
import { useProblemTexts } from './problem-texts.ts'
import { useForm } from './use-form.ts'

const initial = {
  nickName: '',
  region: 'CN',
  phone: '',
  code: '',
  password: '',
  confirm: '',
  agreement: false,
}
type Draft = typeof initial
type Name = Exclude<keyof Draft, 'region'>

/** The short form: a phone, a code sent to it, a nickname and a password. */
export function RegisterForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('accounts')
  const texts = useProblemTexts()
  const form = useForm({
    initial,
    prefix: 'register',
    problemsOf: (draft: Draft) => texts(problemsOf(draft)),
    send: register,
    onDone,
  })
  const { draft, change, leave, problemOf } = form
  const areaCode = callingCodeOf(draft.region)
  return (
    <form className={formStyles.form} onSubmit={form.submit} noValidate aria-label={t('register.title')}>
      <Field id="register-nickName" label={t('profile.nickName')} problem={problemOf('nickName')}>
        <div className={styles.box}>
          <input
            {...describedBy('register-nickName', problemOf('nickName'))}
            className={styles.input}
            autoComplete="nickname"
            placeholder={t('register.nickNameHint')}
            value={draft.nickName}
            onChange={({ target }) => change({ nickName: target.value })}
            onBlur={() => leave('nickName')}
          />
        </div>
      </Field>
      <PhoneField
        id="register-phone"
        region={draft.region}
        phone={draft.phone}
        problem={problemOf('phone')}
        onChange={change}
        onBlur={() => leave('phone')}
      />
      <CodeField
        id="register-code"
        value={draft.code}
        problem={problemOf('code')}
        purpose="register"
        phone={{ areaCode, number: draft.phone.trim() }}
        mayAsk={() => {
          leave('phone')
          return phoneProblem({ areaCode, number: draft.phone }) === null
        }}
        onChange={(code) => change({ code })}
        onBlur={() => leave('code')}
      />
      <NewPasswordFields
        prefix="register"
        values={draft}
        problemOf={problemOf}
        onChange={change}
        onLeave={leave}
      />
      <DragSlider key={form.attempt} purpose="register" onProof={form.takeProof} />
      <Agreement
        accepted={draft.agreement}
        problem={problemOf('agreement')}
        onChange={(agreement) => change({ agreement })}
      />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('register.submit')}
      </Button>
    </form>
  )
}

type AgreementProps = {
  accepted: boolean
  problem: string | null
  onChange: (accepted: boolean) => void
}

function Agreement({ accepted, problem, onChange }: AgreementProps) {
  const { t } = useTranslation('accounts')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={styles.field}>
      <div className={styles.check}>
        <input
          {...describedBy('register-agreement', problem)}
          type="checkbox"
          checked={accepted}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>
          <label htmlFor="register-agreement">{t('register.accept')}</label>{' '}
          <button type="button" className={styles.link} onClick={() => setIsOpen(true)}>
            {t('register.agreement')}
          </button>
        </span>
      </div>
      {problem !== null && (
        <p className={styles.problem} id="register-agreement-problem" role="alert">
          {problem}
        </p>
      )}
      {isOpen && <AgreementDialog onClose={() => setIsOpen(false)} />}
    </div>
  )
}

/** The contract's rules, with the number's area code told apart; in the order of the form. */
function problemsOf(draft: Draft): Partial<Record<Name, FormProblem>> {
  const {
    nickName,
    phone: _,
    ...rest
  } = shortFormProblems({
    ...draft,
    phone: fullPhone(draft.region, draft.phone),
    email: '',
  })
  const phone = phoneProblem({ areaCode: callingCodeOf(draft.region), number: draft.phone })
  const differs = draft.confirm !== draft.password
  return {
    ...(nickName ? { nickName } : {}),
    ...(phone ? { phone } : {}),
    ...(rest.code ? { code: rest.code } : {}),
    ...(rest.password ? { password: rest.password } : {}),
    ...(differs ? { confirm: 'passwords_differ' as const } : {}),
    ...(rest.agreement ? { agreement: rest.agreement } : {}),
  }
}

const register = ({ nickName, region, phone, code, password, agreement }: Draft, proof: string) =>
  call('user/register', {
    type: 0,
    nickName: nickName.trim(),
    phone: fullPhone(region, phone),
    code: code.trim(),
    password,
    agreement,
    proof,
  })
