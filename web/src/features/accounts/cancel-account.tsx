import type { FormProblem } from '@neuroloom/contract/accounts/form-rules'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import * as session from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import styles from './cancel-account.module.css'
import formStyles from './entrance/login-form.module.css'
import { PasswordField } from './fields/password-field.tsx'
import { TextField } from './fields/text-field.tsx'
import { useProblemTexts } from './problem-texts.ts'
import { useLeave } from './sign-out.ts'
import { useForm } from './use-form.ts'

const parts = ['files', 'projects', 'runs', 'profile'] as const

/** Says what goes, offers it all as a file, and closes the account after the password and a typed word. */
export function CancelAccount() {
  const { t } = useTranslation('account')
  return (
    <div className={styles.steps}>
      <div>
        <p>{t('cancel.text')}</p>
        <ul className={styles.parts}>
          {parts.map((part) => (
            <li key={part}>{t(`cancel.${part}`)}</li>
          ))}
        </ul>
        <p className={styles.forGood}>{t('cancel.forGood')}</p>
      </div>
      <section aria-labelledby="cancel-export">
        <h3 id="cancel-export">{t('cancel.exportTitle')}</h3>
        <p>{t('cancel.exportText')}</p>
        <ExportButton />
      </section>
      <section aria-labelledby="cancel-close">
        <h3 id="cancel-close">{t('cancel.closeTitle')}</h3>
        <CancelForm />
      </section>
    </div>
  )
}

function ExportButton() {
  const { t } = useTranslation(['account', 'common'])
  const [isBusy, setIsBusy] = useState(false)
  const save = async () => {
    if (isBusy) return toast.warning(t('common:wait'))
    setIsBusy(true)
    try {
      const { url } = await call('user/export', { userId: session.user()?.id ?? '' })
      // Its size is known to nobody before it is packed: it goes straight to the disk.
      await download({ url, name: 'neuroloom.zip', sizeBytes: Number.POSITIVE_INFINITY })
    } catch (error) {
      // `call` has told why.
      console.error(error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button look="quiet" busy={isBusy} onClick={() => void save()}>
      {t('cancel.export')}
    </Button>
  )
}

const initial = { password: '', word: '' }
type Draft = typeof initial

function CancelForm() {
  const leaveForGood = useLeave()
  const { t } = useTranslation('account')
  const texts = useProblemTexts()
  const word = t('cancel.word')
  const form = useForm({
    initial,
    prefix: 'cancel',
    problemsOf: (draft: Draft) => {
      const isTyped = draft.word.trim().toLocaleLowerCase() === word.toLocaleLowerCase()
      return {
        ...texts<keyof Draft>(draft.password === '' ? noPassword : {}),
        ...(isTyped ? {} : { word: t('cancel.wordProblem', { word }) }),
      }
    },
    send: ({ password }) => call('user/cancel', { userId: session.user()?.id ?? '', password }),
    onDone: () => {
      toast.success(t('cancel.done'))
      void leaveForGood()
    },
    hasSlider: false,
  })
  const { draft, change, leave, problemOf } = form
  return (
    <form
      className={`${formStyles.form} ${formStyles.narrow}`}
      onSubmit={form.submit}
      noValidate
      aria-label={t('tab.cancel')}
    >
      <PasswordField
        id="cancel-password"
        label={t('cancel.password')}
        hint={t('password.oldHint')}
        kind="current"
        value={draft.password}
        problem={problemOf('password')}
        onChange={(password) => change({ password })}
        onBlur={() => leave('password')}
      />
      <TextField
        id="cancel-word"
        label={t('cancel.wordLabel', { word })}
        value={draft.word}
        problem={problemOf('word')}
        onChange={(typed) => change({ word: typed })}
        onBlur={() => leave('word')}
      />
      <div className={styles.danger}>
        <Button type="submit" busy={form.isBusy}>
          {t('cancel.submit')}
        </Button>
      </div>
    </form>
  )
}

const noPassword: Partial<Record<keyof Draft, FormProblem>> = { password: 'enter_password' }
