import { PlusOutlined, TeamOutlined, UsergroupAddOutlined } from '@ant-design/icons'
import type { Group } from '@neuroloom/contract/groups'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { CountMeter } from '../../../ui/limits/used-limit.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { GroupForm } from './group-form.tsx'
import { spokenNumber } from './group-number.ts'
import { GroupPage } from './group-page.tsx'
import styles from './groups.module.css'
import { JoinDialog } from './join-dialog.tsx'

/** Data groups: the list, or one of them. `nbr` in the address asks to join that group. */
export function GroupsTab() {
  const [params] = useSearchParams()
  const query = useCall('files/groups', {}, { quiet: true })
  const groups = query.data?.groups ?? []
  const group = groups.find(({ id }) => id === params.get('group'))
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  return group ? (
    <GroupPage key={group.id} group={group} />
  ) : (
    <Groups groups={groups} limit={query.data.ownLimit} />
  )
}

/** `limit`: of those that one may found. */
function Groups({ groups, limit }: { groups: readonly Group[]; limit: number | null }) {
  const { t } = useTranslation('sharing')
  const [params, setParams] = useSearchParams()
  const number = params.get('nbr')
  const [dialog, setDialog] = useState<'create' | 'join' | null>(number === null ? null : 'join')
  const close = () => {
    setDialog(null)
    // Asked once: a reload is no second question.
    if (number !== null) setParams({ tab: 'groups' }, { replace: true })
  }
  const buttons = (
    <>
      <Button icon={<UsergroupAddOutlined aria-hidden />} onClick={() => setDialog('join')}>
        {t('join')}
      </Button>
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setDialog('create')}>
        {t('createGroup')}
      </Button>
    </>
  )
  const own = groups.filter(({ isOwner }) => isOwner).length
  return (
    <>
      {groups.length === 0 ? (
        <EmptyState
          icon={<TeamOutlined aria-hidden />}
          title={t('groupsEmpty')}
          text={t('groupsEmptyText')}
          action={buttons}
        />
      ) : (
        <>
          {limit !== null && (
            <div className={styles.count}>
              <CountMeter name="dataGroups" used={own} limit={limit} />
            </div>
          )}
          <div className={styles.buttons}>{buttons}</div>
          <ul className={styles.groups}>
            {groups.map((group) => (
              <Card key={group.id} group={group} />
            ))}
          </ul>
        </>
      )}
      {dialog === 'create' && <GroupForm group={null} onClose={close} />}
      {dialog === 'join' && <JoinDialog number={number ?? ''} onClose={close} />}
    </>
  )
}

function Card({ group }: { group: Group }) {
  const { t } = useTranslation('sharing')
  const { id, name, about, number, owner, isOwner, memberCount, entryCount } = group
  return (
    <li>
      <Link to={`/cloudHome?tab=groups&group=${encodeURIComponent(id)}`}>{name}</Link>
      <small>{isOwner ? t('yours') : t('ownedBy', { name: owner })}</small>
      {about !== '' && <p>{about}</p>}
      <span>
        {[
          t('number', { number: spokenNumber(number) }),
          t('members', { count: memberCount, shown: formatNumber(memberCount) }),
          t('things', { count: entryCount, shown: formatNumber(entryCount) }),
        ].join(' · ')}
      </span>
    </li>
  )
}
