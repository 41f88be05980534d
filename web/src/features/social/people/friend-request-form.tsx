import { social as limits } from '@neuroloom/contract/limits'
import type { Person } from '@neuroloom/contract/social/people'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import styles from './people.module.css'
import type { useRelation } from './use-relation.ts'

type Props = { member: Person; apply: ReturnType<typeof useRelation>['apply']; onClose: () => void }

/** Asks to be friends, with a line that says who asks. */
export function FriendRequestForm({ member, apply, onClose }: Props) {
  const { t } = useTranslation(['social-people', 'common'])
  const [text, setText] = useState('')
  const field = useId()
  const send = () => apply.mutate({ memberId: member.id, text: text.trim() }, { onSuccess: onClose })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label htmlFor={field}>{t('request.text', { name: member.nickName })}</label>
      <Input
        id={field}
        autoComplete="off"
        maxLength={limits.applicationLength}
        placeholder={t('request.example')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {apply.error && (
        <p role="alert" className={styles.problem}>
          {messageOf(apply.error)}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="primary" htmlType="submit" loading={apply.isPending}>
          {t('request.send')}
        </Button>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
      </div>
    </form>
  )
}
