import type { Member } from '@neuroloom/contract/accounts/members'
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import styles from './members.module.css'

type MemberSessionsProps = {
  member: Member
  /** Null for the own session, which ends by signing out. */
  onEnd: (() => Promise<unknown>) | null
  onClose: () => void
}

/** From where and when an account was signed in to, and ending the session that is open. */
export function MemberSessions({ member, onEnd, onClose }: MemberSessionsProps) {
  const { t } = useTranslation(['members', 'account', 'common'])
  const { data, error, refetch } = useCall('members/sessions', { id: member.id }, { quiet: true })
  const isOpen = data?.items.some(({ endedAt }) => endedAt === null) ?? false
  const end = () => {
    // A refusal has been told by the call.
    onEnd?.().catch(() => {})
  }
  return (
    <Modal
      open
      centered
      width={860}
      title={t('sessions.title', { name: member.nickName })}
      footer={
        <>
          {isOpen && onEnd !== null && (
            <Button danger onClick={end}>
              {t('sessions.end')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:close')}</Button>
        </>
      }
      onCancel={onClose}
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" />}
      {data?.items.length === 0 && <EmptyState title={t('sessions.none')} text={t('sessions.noneText')} />}
      {data && data.items.length > 0 && (
        <ScrollRegion name={t('sessions.title', { name: member.nickName })} className={styles.scroll}>
          <table className={list.list}>
            <thead>
              <tr>
                <th>{t('account:signIns.time')}</th>
                <th>{t('account:signIns.address')}</th>
                <th className={list.wide}>{t('account:signIns.device')}</th>
                <th>{t('account:signIns.state')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map(({ id, startedAt, address, agent, endedAt, endReason, usedAt }) => (
                <tr key={id}>
                  <td>{formatDate(startedAt, 'minute')}</td>
                  <td>{address}</td>
                  <td className={list.wide}>{agent || t('account:signIns.program')}</td>
                  <td>
                    {t(`account:signIns.${endedAt === null ? 'open' : (endReason ?? 'expired')}`, {
                      date: formatDate(endedAt ?? usedAt, 'minute'),
                    })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Modal>
  )
}
