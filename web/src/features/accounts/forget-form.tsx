import { type FormProblem, forgetFormProblems, phoneProblem } from '@neuroloom/contract/form-rules'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { callingCodeOf } from './calling-codes.ts'
import { fullPhone } from './check-login.ts'
import { CodeField } from './code-field.tsx'
import { DragSlider } from './drag-slider.tsx'
import styles from './login-form.module.css'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PhoneField } from './phone-field.tsx'
import { useProblemTexts } from './problem-texts.ts'
import { useForm } from './use-form.ts'

const initial = { region: 'CN', phone: '', code: '', password: '', confirm: '' }
type Draft = typeof initial
type Name = Exclude<keyof Draft, 'region'>

/** A new password by a code sent to a mainland number. */
export function ForgetForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('accounts')
  const texts = useProblemTexts()
  const form = useForm({
    initial,
    prefix: 'forget',
    problemsOf: (draft: Draft) => texts(problemsOf(draft)),
    send: renew,
    onDone,
  })
  const { draft, change, leave, problemOf } = form
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate aria-label={t('forget.title')}>
      <PhoneField
        id="forget-phone"
        region={draft.region}
        phone={draft.phone}
        problem={problemOf('phone')}
        onChange={change}
        onBlur={() => leave('phone')}
      />
      <CodeField
        id="forget-code"
        value={draft.code}
        problem={problemOf('code')}
        purpose="forget"
        phone={{ areaCode: callingCodeOf(draft.region), number: draft.phone.trim() }}
        mayAsk={() => {
          leave('phone')
          return problemsOf(draft).phone === undefined
        }}
        onChange={(code) => change({ code })}
        onBlur={() => leave('code')}
      />
      <NewPasswordFields
        prefix="forget"
        values={draft}
        problemOf={problemOf}
        onChange={change}
        onLeave={leave}
      />
      <DragSlider key={form.attempt} purpose="forget" onProof={form.takeProof} />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('forget.submit')}
      </Button>
    </form>
  )
}

function problemsOf(draft: Draft): Partial<Record<Name, FormProblem>> {
  const { region, phone: number, password, confirm } = draft
  const found = forgetFormProblems({ ...draft, phone: fullPhone(region, number), email: '' })
  const phone = phoneProblem({ areaCode: callingCodeOf(region), number }) ?? found.phone
  return {
    ...(phone ? { phone } : {}),
    ...(found.code ? { code: found.code } : {}),
    ...(found.password ? { password: found.password } : {}),
    ...(confirm === password ? {} : { confirm: 'passwords_differ' as const }),
  }
}

const renew = ({ region, phone, code, password }: Draft, proof: string) =>
  call('user/forgetpwd', { phone: fullPhone(region, phone), code: code.trim(), password, proof })
