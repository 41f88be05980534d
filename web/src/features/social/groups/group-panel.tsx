import { CopyOutlined } from '@ant-design/icons'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import type { Person } from '@neuroloom/contract/social/people'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { LinkedText } from '../linked-text.tsx'
import { ReportDialog } from '../report-dialog.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupMembers } from './group-members.tsx'
import styles from './groups.module.css'
import { InviteFriend } from './invite-friend.tsx'

type Props = {
  groupId: string
  onPerson: (person: Person) => void
  onClose: () => void
  /** The group was left or dissolved. */
  onGone: () => void
}

/** One chat group beside its conversation: what it is, who is in it, and what its owner can do. */
export function GroupPanel({ groupId, onClose, ...rest }: Props) {
  const { t } = useTranslation('social')
  const { data, error, refetch } = useCall('social/groups', {}, { quiet: true })
  const group = data?.groups.find(({ id }) => id === groupId)
  return (
    <Drawer open title={group?.name ?? t('group.info')} size={400} onClose={onClose}>
      {!data &&
        (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />)}
      {data && !group && <p>{t('closed.left')}</p>}
      {group && <Details group={group} onClose={onClose} {...rest} />}
    </Drawer>
  )
}

type DetailsProps = Omit<Props, 'groupId'> & { group: ChatGroup }

function Details({ group, onPerson, onClose, onGone }: DetailsProps) {
  const { t } = useTranslation('social')
  const [dialog, setDialog] = useState<'edit' | 'invite' | 'report' | 'end' | null>(null)
  const close = () => setDialog(null)
  const { id: groupId, isOwner, introduction, notice, number, name } = group
  const options = {
    refresh: ['social/groups', 'social/chats', 'social/unread'] as const,
    onDone: () => {
      onClose()
      onGone()
    },
  }
  const exit = useAction('social/exitGroup', options)
  const dissolve = useAction('social/dissolveGroup', options)
  const ending = isOwner ? 'dissolve' : 'exit'
  const copy = async () => {
    if (await copyText(number)) toast.success(t('group.copied'))
    else toast.warning(t('group.copyFailed'))
  }
  return (
    <div className={styles.panel}>
      <p className={styles.number}>
        {t('group.numberIs', { number: spokenNumber(number) })}
        <Button size="small" icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
          {t('group.copy')}
        </Button>
      </p>
      {introduction !== '' && (
        <p className={styles.introduction}>
          <LinkedText text={introduction} />
        </p>
      )}
      {notice !== '' && (
        <section>
          <h3 className={styles.heading}>{t('group.notice')}</h3>
          <p className={styles.introduction}>
            <LinkedText text={notice} />
          </p>
        </section>
      )}
      <div className={styles.buttons}>
        <Button type="primary" onClick={() => setDialog('invite')}>
          {t('group.invite')}
        </Button>
        {isOwner && <Button onClick={() => setDialog('edit')}>{t('group.edit')}</Button>}
      </div>
      <GroupMembers group={group} onPerson={onPerson} />
      <div className={styles.buttons}>
        <Button danger onClick={() => setDialog('end')}>
          {t(`group.${ending}`)}
        </Button>
        {!isOwner && (
          <Button danger type="text" onClick={() => setDialog('report')}>
            {t('report.open')}
          </Button>
        )}
      </div>
      {dialog === 'edit' && <GroupForm group={group} onDone={close} onClose={close} />}
      {dialog === 'invite' && <InviteFriend group={group} onClose={close} />}
      {dialog === 'report' && <ReportDialog kind="group" targetId={groupId} onClose={close} />}
      <ConfirmRemove
        open={dialog === 'end'}
        title={t(`group.${ending}Ask`, { name })}
        text={t(`group.${ending}Text`)}
        confirmLabel={t(`group.${ending}`)}
        onConfirm={() => (isOwner ? dissolve : exit).mutateAsync({ groupId })}
        onClose={close}
      />
    </div>
  )
}

/** In groups of three, as people read a number to each other; the field for it takes spaces. */
const spokenNumber = (number: string): string => number.replace(/\d{3}(?=\d)/g, '$&\u00a0')
