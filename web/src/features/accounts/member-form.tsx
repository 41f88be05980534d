import {
  codeProblem,
  type FormProblem,
  getsTexts,
  isEmail,
  passwordProblem,
  phoneProblem,
} from '@neuroloom/contract/accounts/form-rules'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import * as session from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { fullPhone } from './entrance/check-login.ts'
import { DragSlider } from './entrance/drag-slider.tsx'
import { EnglishDialog } from './entrance/english-dialog.tsx'
import formStyles from './entrance/login-form.module.css'
import { type PublicSetting, usePublicSetting } from './entrance/public-setting.ts'
import { ErrorSummary } from './error-summary.tsx'
import { AgreementCheck } from './fields/agreement-check.tsx'
import { callingCodeOf } from './fields/calling-codes.ts'
import { CodeField } from './fields/code-field.tsx'
import styles from './fields/member-fields.module.css'
import { MemberFields } from './fields/member-fields.tsx'
import { NewPasswordFields } from './fields/new-password-fields.tsx'
import { FormFailure } from './form-failure.tsx'
import { emptyMember, type MemberDraft, mainEmail, memberProblemsOf, profileOf } from './member-draft.ts'
import { photoFor } from './photo.ts'
import { useMemberForm } from './use-member-form.ts'

const initial = { ...emptyMember, code: '', password: '', confirm: '', agreement: false }
type Draft = typeof initial

/** The long form: a whole profile, and with it a member at once. */
export function MemberForm({ onDone }: { onDone: (account: string) => void }) {
  const { t } = useTranslation(['member', 'accounts'])
  const setting = usePublicSetting()
  const form = useMemberForm<Draft>({
    initial,
    prefix: 'register',
    problemsOf: (draft) => problemsOf(draft, setting),
    labelOf: (field) => t(`field.${field}`),
    send: (draft, proof) => register(draft, proof),
    onDone: (draft) =>
      onDone(isByText(draft, setting) ? fullPhone(draft.phoneRegion, draft.phone) : mainEmail(draft.email)),
    hasSlider: true,
  })
  const { draft, change, leave, problemOf } = form
  return (
    <form
      className={formStyles.form}
      onSubmit={form.submit}
      noValidate
      aria-label={t('accounts:register.title')}
    >
      <MemberFields
        prefix="register"
        form={form}
        account={isByText(draft, setting) ? 'phone' : 'email'}
        code={<MemberCode form={form} setting={setting} />}
      />
      <section className={styles.section} aria-labelledby="register-account">
        <h2 id="register-account">{t('section.account')}</h2>
        <div className={styles.grid}>
          <NewPasswordFields
            prefix="register"
            isFirst
            values={draft}
            problemOf={problemOf}
            onChange={change}
            onLeave={leave}
          />
        </div>
        <DragSlider key={form.attempt} purpose="register" {...form.slider} />
        <AgreementCheck
          id="register-agreement"
          accepted={draft.agreement}
          problem={problemOf('agreement')}
          onChange={(agreement) => change({ agreement })}
        />
      </section>
      <ErrorSummary
        problems={form.problems}
        onChoose={(name) => document.getElementById(`register-${name}`)?.focus()}
      />
      <FormFailure text={form.failure} />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('accounts:register.submit')}
      </Button>
      {form.english !== null && <EnglishDialog field={form.english} onClose={form.closeEnglish} />}
    </form>
  )
}

type MemberCodeProps = {
  form: Pick<ReturnType<typeof useMemberForm<Draft>>, 'draft' | 'change' | 'leave' | 'problemOf'>
  setting: PublicSetting | null
}

/** To the phone where text messages are sent to its country, else to the main e-mail address. */
function MemberCode({ form, setting }: MemberCodeProps) {
  const { t } = useTranslation('member')
  const { draft, change, leave, problemOf } = form
  const isByPhone = isByText(draft, setting)
  const areaCode = callingCodeOf(draft.phoneRegion)
  return (
    <div className={styles.wide}>
      <CodeField
        id="register-code"
        value={draft.code}
        problem={problemOf('code')}
        purpose="register"
        target={isByPhone ? { areaCode, number: draft.phone.trim() } : { email: mainEmail(draft.email) }}
        mayAsk={() => {
          leave(isByPhone ? 'phone' : 'email')
          return isByPhone
            ? phoneProblem({ areaCode, number: draft.phone }) === null
            : isEmail(mainEmail(draft.email))
        }}
        onChange={(code) => change({ code })}
        onBlur={() => leave('code')}
      />
      <p className={styles.note}>{t(isByPhone ? 'note.codeByPhone' : 'note.codeByEmail')}</p>
    </div>
  )
}

function isByText({ phoneRegion }: MemberDraft, setting: PublicSetting | null): boolean {
  const areaCode = callingCodeOf(phoneRegion)
  return areaCode === '' || setting === null || getsTexts(areaCode, setting.smsCountries)
}

function problemsOf(draft: Draft, setting: PublicSetting | null): Partial<Record<keyof Draft, FormProblem>> {
  const code = codeProblem(draft.code)
  const password = passwordProblem(draft.password)
  const ofMember = memberProblemsOf(draft, 'register')
  // Without e-mail there is no other way to prove the account.
  const isUnreachable = !isByText(draft, setting) && setting?.mail === false
  return inOrder({
    ...ofMember,
    ...(isUnreachable ? { phone: 'no_text_messages' as const } : {}),
    ...(code ? { code } : {}),
    ...(password ? { password } : {}),
    ...(draft.confirm === draft.password ? {} : { confirm: 'passwords_differ' as const }),
    ...(draft.agreement ? {} : { agreement: 'agree_first' as const }),
  })
}

/** The code stands in the middle of the form, after phone and e-mail. */
function inOrder(
  problems: Partial<Record<keyof Draft, FormProblem>>,
): Partial<Record<keyof Draft, FormProblem>> {
  // Its own keys.
  const names = Object.keys(problems) as (keyof Draft)[]
  const place = (name: keyof Draft) => shownOrder.indexOf(name)
  return Object.fromEntries(
    names.sort((one, other) => place(one) - place(other)).map((name) => [name, problems[name]]),
  )
}

const shownOrder: readonly (keyof Draft)[] = [
  'nickName',
  'job',
  'name',
  'surname',
  'appellation',
  'sex',
  'age',
  'edu',
  'country',
  'cardType',
  'cardNumber',
  'phone',
  'email',
  'code',
  'email1',
  'email2',
  'email3',
  'fax',
  'bakPhone',
  'bakPhoneUsage',
  'firstContact',
  'organ',
  'dept',
  'position',
  'title',
  'keyword',
  'currCountry',
  'area',
  'address',
  'postcode',
  'password',
  'confirm',
  'agreement',
]

async function register(draft: Draft, proof: string): Promise<void> {
  const { token, closing, ...user } = await call('user/register', {
    ...profileOf({ ...draft, photo: photoFor(draft) }),
    type: 1,
    code: draft.code.trim(),
    password: draft.password,
    agreement: draft.agreement,
    proof,
  })
  session.start({ token, closing, user })
}
