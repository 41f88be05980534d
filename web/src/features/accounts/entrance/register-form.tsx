import { type FormProblem, shortFormProblems } from '@neuroloom/contract/accounts/form-rules'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import * as session from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { useIsPhone } from '../../../ui/hooks/use-media.ts'
import { StepCount } from '../../../ui/step-count.tsx'
import { AccountFields, accountOf, accountProblem, emptyAccount } from '../fields/account-fields.tsx'
import { AgreementCheck } from '../fields/agreement-check.tsx'
import fieldStyles from '../fields/field.module.css'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { TextField } from '../fields/text-field.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useProblemTexts } from '../problem-texts.ts'
import { useForm } from '../use-form.ts'
import { DragSlider } from './drag-slider.tsx'
import formStyles from './login-form.module.css'
import { type PublicSetting, usePublicSetting } from './public-setting.ts'

const initial = { nickName: '', ...emptyAccount, password: '', confirm: '', agreement: false }
type Draft = typeof initial
type Name = Exclude<keyof Draft, 'region' | 'mode'>

/** The short form: a nickname, a phone or an e-mail address with its code, a password. */
export function RegisterForm({ onDone }: { onDone: (account: string) => void }) {
  const { t } = useTranslation(['accounts', 'common'])
  const texts = useProblemTexts()
  const setting = usePublicSetting()
  const form = useForm({
    initial,
    prefix: 'register',
    problemsOf: (draft: Draft) => texts(problemsOf(draft, setting)),
    send: register,
    // What is wrong may stand a step before.
    onWrong: (first) => {
      setIsProven(!['nickName', 'phone', 'email', 'code'].includes(first))
      form.focus(first)
    },
    onDone: (draft) => {
      const { phone, email } = accountOf(draft)
      onDone(phone || email)
    },
  })
  const { draft, change, leave, problemOf } = form
  const isPhone = useIsPhone()
  const [isProven, setIsProven] = useState(false)
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (form.check(['nickName', draft.mode, 'code'])) setIsProven(true)
  }
  const isFirst = isPhone && !isProven
  return (
    <form
      className={`${formStyles.form} ${fieldStyles.pairs}`}
      onSubmit={isFirst ? next : form.submit}
      noValidate
      aria-label={t('register.title')}
    >
      {isPhone && (
        <StepCount
          step={isFirst ? 1 : 2}
          of={2}
          title={t(isFirst ? 'register.step.who' : 'register.step.password')}
        />
      )}
      {(!isPhone || isFirst) && (
        <>
          <TextField
            id="register-nickName"
            label={t('profile.nickName')}
            hint={t('register.nickNameHint')}
            autoComplete="nickname"
            value={draft.nickName}
            problem={problemOf('nickName')}
            onChange={(nickName) => change({ nickName })}
            onBlur={() => leave('nickName')}
          />
          <AccountFields prefix="register" purpose="register" form={form} setting={setting} />
        </>
      )}
      {isFirst ? (
        <Button type="submit" size="large">
          {t('common:step.next')}
        </Button>
      ) : (
        <>
          <NewPasswordFields
            prefix="register"
            isFirst
            values={draft}
            problemOf={problemOf}
            onChange={change}
            onLeave={leave}
          />
          <DragSlider key={form.attempt} purpose="register" {...form.slider} />
          <AgreementCheck
            id="register-agreement"
            accepted={draft.agreement}
            problem={problemOf('agreement')}
            onChange={(agreement) => change({ agreement })}
          />
          <FormFailure text={form.failure} />
          <Button type="submit" size="large" busy={form.isBusy}>
            {t('register.submit')}
          </Button>
          {isPhone && (
            <Button look="quiet" onClick={() => setIsProven(false)}>
              {t('common:back')}
            </Button>
          )}
        </>
      )}
    </form>
  )
}

/** The contract's rules, with the number's area code told apart; in the order of the form. */
function problemsOf(draft: Draft, setting: PublicSetting | null): Partial<Record<Name, FormProblem>> {
  const { nickName, code, password, agreement } = shortFormProblems({ ...draft, ...accountOf(draft) })
  const account = accountProblem(draft, 'register', setting)
  return {
    ...(nickName ? { nickName } : {}),
    ...(account ? { [draft.mode]: account } : {}),
    ...(code ? { code } : {}),
    ...(password ? { password } : {}),
    ...(draft.confirm === draft.password ? {} : { confirm: 'passwords_differ' as const }),
    ...(agreement ? { agreement } : {}),
  }
}

async function register(draft: Draft, proof: string): Promise<void> {
  const { token, closing, ...user } = await call('user/register', {
    type: 0,
    nickName: draft.nickName.trim(),
    ...accountOf(draft),
    code: draft.code.trim(),
    password: draft.password,
    agreement: draft.agreement,
    proof,
  })
  session.start({ token, closing, user })
}
