import { CopyOutlined, EditOutlined, FolderAddOutlined, FolderOpenOutlined } from '@ant-design/icons'
import type { Group } from '@neuroloom/contract/groups'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { copyText } from '../../../lib/copy-text.ts'
import { useAction, usePages } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { GiveDialog } from './give-dialog.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupMembers } from './group-members.tsx'
import { spokenNumber } from './group-number.ts'
import styles from './groups.module.css'
import { SharedTable } from './shared-table.tsx'

/** One group: what it is, its data, its members. */
export function GroupPage({ group }: { group: Group }) {
  const { t } = useTranslation('sharing')
  const [dialog, setDialog] = useState<'edit' | 'give' | 'end' | null>(null)
  const close = () => setDialog(null)
  const navigate = useNavigate()
  const options = {
    refresh: ['files/groups', 'files/list'] as const,
    onDone: () => void navigate('/cloudHome?tab=groups'),
  }
  const exit = useAction('files/exitGroup', options)
  const dissolve = useAction('files/dissolveGroup', options)
  const end = group.isOwner ? dissolve : exit
  const ending = group.isOwner ? 'dissolve' : 'exit'
  return (
    <div className={styles.page}>
      <div>
        <Link to="/cloudHome?tab=groups">{t('allGroups')}</Link>
        <h2>{group.name}</h2>
        {group.about !== '' && <p className={styles.about}>{group.about}</p>}
        <Invitation number={group.number} />
        <div className={styles.buttons}>
          <Button type="primary" icon={<FolderAddOutlined aria-hidden />} onClick={() => setDialog('give')}>
            {t('give')}
          </Button>
          {group.isOwner && (
            <Button icon={<EditOutlined aria-hidden />} onClick={() => setDialog('edit')}>
              {t('editGroup')}
            </Button>
          )}
          <Button danger type="text" onClick={() => setDialog('end')}>
            {t(ending)}
          </Button>
        </div>
        <GroupData groupId={group.id} />
      </div>
      <GroupMembers group={group} />
      {dialog === 'edit' && <GroupForm group={group} onClose={close} />}
      {dialog === 'give' && <GiveDialog groupId={group.id} onClose={close} />}
      <ConfirmRemove
        open={dialog === 'end'}
        title={t(`${ending}Ask`, { name: group.name })}
        text={t(`${ending}Text`)}
        confirmLabel={t(ending)}
        onConfirm={() => end.mutateAsync({ groupId: group.id })}
        onClose={close}
      />
    </div>
  )
}

/** What one tells others so that they can join: the number, or an address that leads to it. */
function Invitation({ number }: { number: string }) {
  const { t } = useTranslation('sharing')
  const copy = async () => {
    const address = `${window.location.origin}/login?nbr=${number}`
    if (await copyText(address)) toast.success(t('copied'))
    else toast.warning(t('copyFailed'))
  }
  return (
    <p className={styles.invitation}>
      {t('number', { number: spokenNumber(number) })}
      <Button size="small" icon={<CopyOutlined aria-hidden />} onClick={copy}>
        {t('copyInvitation')}
      </Button>
    </p>
  )
}

function GroupData({ groupId }: { groupId: string }) {
  const { t } = useTranslation('sharing')
  const query = usePages('files/groupData', { groupId })
  const shared = query.data?.pages.flatMap((page) => page.shared) ?? []
  const take = useAction('files/takeFromGroup', {
    refresh: ['files/groupData', 'files/groups', 'files/list'],
  })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError && shared.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (shared.length === 0)
    return (
      <EmptyState
        icon={<FolderOpenOutlined aria-hidden />}
        title={t('groupDataEmpty')}
        text={t('groupDataEmptyText')}
      />
    )
  return (
    <>
      <SharedTable
        shared={shared}
        ending={({ shareId, canWithdraw }) =>
          canWithdraw ? { label: t('takeOut'), end: () => take.mutate({ groupId, shareId }) } : null
        }
      />
      <MoreButton query={query} />
    </>
  )
}
