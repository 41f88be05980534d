import type { Round } from '@neuroloom/contract/social/rounds'
import { Button, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import styles from './rounds.module.css'

type Props = {
  round: Round
  ownId: string
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
  onEnded: () => void
}

/** Who leads and who looks on, and what can be done about it. */
export function RoundSide({ round, ownId, isFollowing, onFollow, onEnded }: Props) {
  const { t } = useTranslation('social-rounds')
  const [isEnding, setIsEnding] = useState(false)
  const { id: roundId, leader, host, people } = round
  const ask = useAction('round/askLead', { refresh: ['round/show'] })
  const give = useAction('round/giveLead', { refresh: ['round/show'] })
  const end = useAction('round/end', { refresh: ['round/list'], onDone: onEnded })
  const isLeader = leader?.id === ownId
  const isHost = host.id === ownId
  const hasAsked = people.some(({ id, asks }) => id === ownId && asks)
  const nameOf = ({ nickName }: { nickName: string }): string => nickName || t('closedAccount')
  return (
    <aside className={styles.side} aria-label={t('people')}>
      <p role="status" className={styles.lead}>
        {isLeader ? t('youLead') : leader ? t('leads', { name: nameOf(leader) }) : t('nobodyLeads')}
      </p>
      {!isLeader && (
        <>
          <div className={styles.follow}>
            <Switch
              size="small"
              checked={isFollowing}
              onChange={onFollow}
              aria-label={t('follow')}
              disabled={leader === null && isFollowing}
            />
            <span>{t('follow')}</span>
          </div>
          <Button
            type={leader === null ? 'primary' : 'default'}
            block
            disabled={hasAsked && leader !== null}
            loading={ask.isPending}
            onClick={() => ask.mutate({ roundId })}
          >
            {leader === null ? t('takeLead') : hasAsked ? t('asked') : t('askLead')}
          </Button>
        </>
      )}
      <h2>{t('present', { count: people.length })}</h2>
      <ul className={styles.people}>
        {people.map((person) => {
          const { id, nickName, photo, asks } = person
          const isOwn = id === ownId
          const canGive = (isLeader || isHost) && id !== leader?.id && (asks || isLeader || isOwn)
          return (
            <li key={id}>
              <Avatar name={nickName} photo={photo} size={28} />
              <span>
                {isOwn ? t('you') : nameOf(person)}
                {asks && <small>{t('asks')}</small>}
              </span>
              {canGive && (
                <Button
                  size="small"
                  type={asks ? 'primary' : 'default'}
                  loading={give.isPending}
                  aria-label={isOwn ? t('takeBack') : t('giveTo', { name: nameOf(person) })}
                  onClick={() => give.mutate({ roundId, memberId: id })}
                >
                  {isOwn ? t('takeBack') : t('give')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {isHost && (
        <Button danger block onClick={() => setIsEnding(true)}>
          {t('end.open')}
        </Button>
      )}
      <ConfirmRemove
        open={isEnding}
        title={t('end.ask')}
        text={t('end.text')}
        confirmLabel={t('end.confirm')}
        onConfirm={() => end.mutateAsync({ roundId })}
        onClose={() => setIsEnding(false)}
      />
    </aside>
  )
}
