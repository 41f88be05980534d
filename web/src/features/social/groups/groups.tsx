import { PlusOutlined, UsergroupAddOutlined } from '@ant-design/icons'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { CountMeter } from '../../../ui/limits/used-limit.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { chatAddress } from '../chats/addresses.ts'
import list from '../chats/chats.module.css'
import { GroupForm } from './group-form.tsx'
import styles from './groups.module.css'
import { JoinGroup } from './join-group.tsx'

/** Chat groups that one founded or joined, and the ways to more of them. `openId`: the conversation that is open. */
export function Groups({ openId }: { openId: string | null }) {
  const { t } = useTranslation('social')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'found' | 'join' | null>(null)
  const { data, error, refetch } = useCall('social/groups', {}, { quiet: true })
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  const { groups, ownLimit } = data
  const own = groups.filter(({ isOwner }) => isOwner).length
  const close = () => setDialog(null)
  const open = ({ chatId }: ChatGroup) => {
    close()
    void navigate(chatAddress(chatId))
  }
  return (
    <div className={styles.groups}>
      <div className={styles.buttons}>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setDialog('found')}>
          {t('group.found')}
        </Button>
        <Button icon={<UsergroupAddOutlined aria-hidden />} onClick={() => setDialog('join')}>
          {t('group.join')}
        </Button>
      </div>
      {ownLimit !== null && (
        <div className={styles.limit}>
          <CountMeter name="chatGroups" used={own} limit={ownLimit} />
        </div>
      )}
      {groups.length === 0 && <p className={list.none}>{t('group.none')}</p>}
      <ul className={list.list} aria-label={t('groups')}>
        {groups.map((group) => (
          <li key={group.id}>
            <Link
              to={chatAddress(group.chatId)}
              className={list.row}
              aria-current={group.chatId === openId ? 'true' : undefined}
            >
              <Avatar name={group.name} size={42} />
              <span className={list.what}>
                <span className={list.line}>
                  <strong>{group.name}</strong>
                </span>
                <span className={list.last}>
                  {group.isOwner
                    ? t('group.yours')
                    : t('group.ownedBy', { name: group.owner.nickName || t('closedAccount') })}
                  {' · '}
                  {t('group.members', { count: group.memberCount, shown: formatNumber(group.memberCount) })}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {dialog === 'found' && <GroupForm group={null} onDone={open} onClose={close} />}
      {dialog === 'join' && <JoinGroup onDone={open} onClose={close} />}
    </div>
  )
}
