import { names } from '@neuroloom/contract/limits'
import { Button, Input } from 'antd'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import * as session from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import styles from './profile-card.module.css'

export function NickNameForm({ nickName, onClose }: { nickName: string; onClose: () => void }) {
  const { t } = useTranslation(['accounts', 'common'])
  const [value, setValue] = useState(nickName)
  const [isTried, setIsTried] = useState(false)
  const save = useAction('user/edit', {
    refresh: ['user/info'],
    quiet: true,
    onDone: (user) => {
      session.keep(user)
      toast.success(t('profile.saved'))
      onClose()
    },
  })
  const isEmpty = value.trim() === ''
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsTried(true)
    if (save.isPending) return toast.warning(t('common:wait'))
    if (!isEmpty) save.mutate({ nickName: value.trim() })
  }
  const problem = isTried && isEmpty ? t('profile.nickNameMissing') : said(save.error)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <label htmlFor="nick-name">{t('profile.nickName')}</label>
      <div className={styles.inputs}>
        <Input
          id="nick-name"
          autoFocus
          maxLength={names.length}
          value={value}
          aria-describedby="nick-name-note"
          {...(problem === null ? {} : { status: 'error' })}
          onChange={({ target }) => setValue(target.value)}
        />
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          {t('common:save')}
        </Button>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
      </div>
      <div
        id="nick-name-note"
        className={problem === null ? styles.hint : styles.problem}
        role={problem === null ? undefined : 'alert'}
      >
        {problem ?? t('profile.nickNameHint')}
      </div>
    </form>
  )
}

const said = (error: Error | null): string | null => (error === null ? null : messageOf(error))
