import { type FormProblem, getsTexts, isEmail, phoneProblem } from '@neuroloom/contract/accounts/form-rules'
import type { CodePurpose } from '@neuroloom/contract/accounts/sign-up'
import { useTranslation } from 'react-i18next'
import { fullPhone } from '../entrance/check-login.ts'
import { ModeSwitch } from '../entrance/mode-switch.tsx'
import type { PublicSetting } from '../entrance/public-setting.ts'
import type { Form } from '../use-form.ts'
import { callingCodeOf } from './calling-codes.ts'
import { CodeField } from './code-field.tsx'
import styles from './field.module.css'
import { PhoneField } from './phone-field.tsx'
import { TextField } from './text-field.tsx'

export const emptyAccount = {
  mode: 'phone' as 'phone' | 'email',
  region: 'CN',
  phone: '',
  email: '',
  code: '',
}
type AccountDraft = typeof emptyAccount

type AccountFieldsProps = {
  prefix: string
  purpose: CodePurpose
  form: Pick<Form<AccountDraft>, 'draft' | 'change' | 'leave' | 'revisit' | 'problemOf'>
  /** null = not known yet. */
  setting: PublicSetting | null
}

/** What the account is called by, phone or e-mail address, and the code that proves it. */
export function AccountFields({ prefix, purpose, form, setting }: AccountFieldsProps) {
  const { t } = useTranslation('accounts')
  const { draft, change, leave, revisit, problemOf } = form
  const areaCode = callingCodeOf(draft.region)
  const turnTo = (mode: AccountDraft['mode']) => {
    change({ mode })
    revisit(mode)
  }
  const hasTexts = purpose !== 'register' || phoneIsReached(draft, setting)
  return (
    <>
      {setting?.mail && (
        <ModeSwitch
          label={t('account.mode')}
          modes={{ phone: t('login.phoneMode'), email: t('login.emailMode') }}
          mode={draft.mode}
          onChange={turnTo}
        />
      )}
      {draft.mode === 'phone' ? (
        <div className={styles.field}>
          <PhoneField
            id={`${prefix}-phone`}
            region={draft.region}
            phone={draft.phone}
            problem={problemOf('phone')}
            onChange={change}
            onBlur={() => leave('phone')}
          />
          {!hasTexts && setting?.mail && (
            <button
              type="button"
              className={`${styles.link} ${styles.wayOut}`}
              onClick={() => turnTo('email')}
            >
              {t('account.useEmail')}
            </button>
          )}
        </div>
      ) : (
        <TextField
          id={`${prefix}-email`}
          label={t('login.email')}
          hint={t('login.emailHint')}
          autoComplete="email"
          inputMode="email"
          value={draft.email}
          problem={problemOf('email')}
          onChange={(email) => change({ email })}
          onBlur={() => leave('email')}
        />
      )}
      <CodeField
        id={`${prefix}-code`}
        value={draft.code}
        problem={problemOf('code')}
        purpose={purpose}
        target={
          draft.mode === 'phone' ? { areaCode, number: draft.phone.trim() } : { email: draft.email.trim() }
        }
        mayAsk={() => {
          leave(draft.mode)
          return accountProblem(draft, purpose, setting) === null
        }}
        onChange={(code) => change({ code })}
        onBlur={() => leave('code')}
      />
    </>
  )
}

/** What is wrong with the phone or the address, whichever is asked for. */
export function accountProblem(
  { mode, region, phone, email }: AccountDraft,
  purpose: CodePurpose,
  setting: PublicSetting | null,
): FormProblem | null {
  if (mode === 'email')
    return email.trim() === '' ? 'enter_email' : isEmail(email.trim()) ? null : 'email_format'
  const areaCode = callingCodeOf(region)
  if (purpose === 'register' && !phoneIsReached({ region }, setting)) return 'no_text_messages'
  const problem = phoneProblem({ areaCode, number: phone })
  // A forgotten password is renewed by a mainland number alone.
  if (purpose === 'forget' && problem === null && areaCode !== '86') return 'phone_format'
  return problem
}

/** Phone with its area code, or address; the other one empty. */
export const accountOf = ({ mode, region, phone, email }: AccountDraft): { phone: string; email: string } =>
  mode === 'phone' ? { phone: fullPhone(region, phone), email: '' } : { phone: '', email: email.trim() }

const phoneIsReached = ({ region }: Pick<AccountDraft, 'region'>, setting: PublicSetting | null): boolean =>
  region === '' || setting === null || getsTexts(callingCodeOf(region), setting.smsCountries)
