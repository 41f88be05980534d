import { type FormProblem, forgetFormProblems } from '@neuroloom/contract/accounts/form-rules'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { Button } from '../../../ui/button.tsx'
import { AccountFields, accountOf, accountProblem, emptyAccount } from '../fields/account-fields.tsx'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useProblemTexts } from '../problem-texts.ts'
import { useForm } from '../use-form.ts'
import { DragSlider } from './drag-slider.tsx'
import styles from './login-form.module.css'
import { usePublicSetting } from './public-setting.ts'

const initial = { ...emptyAccount, password: '', confirm: '' }
type Draft = typeof initial
type Name = Exclude<keyof Draft, 'region' | 'mode'>

/** A new password by a code sent to a mainland number or by e-mail. */
export function ForgetForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('accounts')
  const texts = useProblemTexts()
  const setting = usePublicSetting()
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
      <AccountFields prefix="forget" purpose="forget" form={form} setting={setting} />
      <NewPasswordFields
        prefix="forget"
        values={draft}
        problemOf={problemOf}
        onChange={change}
        onLeave={leave}
      />
      <DragSlider key={form.attempt} purpose="forget" {...form.slider} />
      <FormFailure text={form.failure} />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('forget.submit')}
      </Button>
    </form>
  )
}

function problemsOf(draft: Draft): Partial<Record<Name, FormProblem>> {
  const { code, password } = forgetFormProblems({ ...draft, ...accountOf(draft) })
  const account = accountProblem(draft, 'forget', null)
  return {
    ...(account ? { [draft.mode]: account } : {}),
    ...(code ? { code } : {}),
    ...(password ? { password } : {}),
    ...(draft.confirm === draft.password ? {} : { confirm: 'passwords_differ' as const }),
  }
}

const renew = (draft: Draft, proof: string) =>
  call('user/forgetpwd', { ...accountOf(draft), code: draft.code.trim(), password: draft.password, proof })
