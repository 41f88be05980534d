import { CheckOutlined, ClockCircleOutlined, MoreOutlined } from '@ant-design/icons'
import type { Attachment } from '@neuroloom/contract/social/attachments'
import type { Message } from '@neuroloom/contract/social/chats'
import type { Person } from '@neuroloom/contract/social/people'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { Attachments } from '../attachments/attachments.tsx'
import { LinkedText } from '../linked-text.tsx'
import { OpinionCard } from '../opinions/opinion-card.tsx'
import { RoundCard } from '../rounds/round-card.tsx'
import { formatTime } from './chat-texts.ts'
import styles from './conversation.module.css'
import type { Unsent } from './outbox.ts'

export type MessageActions = {
  openPerson: (person: Person) => void
  reply: (message: Message) => void
  withdraw: (message: Message) => void
  report: (message: Message) => void
  /** Shows the message that a reply answers. */
  goTo: (messageId: number) => void
}

type Props = {
  message: Message
  ownId: string
  isGroup: boolean
  isContinued: boolean
  isMarked: boolean
  /** Under an own message: whether it is stored, and whether the other member has read it. */
  mark: 'sent' | 'read' | null
  canReply: boolean
  /** Of members who may be named in it. */
  names: readonly string[]
  /** An own message can be taken back so long. */
  withdrawMs: number
  actions: MessageActions
}

/** What stands in a row of the list. */
export function MessageLine(props: Props) {
  const { message, ownId, isGroup, isContinued, isMarked, mark, names, actions } = props
  const { t } = useTranslation('social')
  const { from, at, text, attachments, isWithdrawn, replyTo, mentions } = message
  const isOwn = from.id === ownId
  const name = from.nickName || t('closedAccount')
  if (isWithdrawn)
    return <div className={styles.note}>{t(isOwn ? 'withdrawnOwn' : 'withdrawn', { name })}</div>
  return (
    <div
      className={styles.message}
      data-own={isOwn}
      data-continued={isContinued}
      data-marked={isMarked}
      data-names-me={!isOwn && mentions.includes(ownId)}
    >
      {isGroup && !isOwn && (
        <span className={styles.face}>
          {!isContinued && <Avatar name={name} photo={from.photo} size={32} />}
        </span>
      )}
      <div className={styles.body}>
        {isGroup && !isOwn && !isContinued && (
          <button type="button" className={styles.sender} onClick={() => actions.openPerson(from)}>
            {name}
          </button>
        )}
        <div className={styles.bubble}>
          {!isGroup && <span className="nl-hidden">{t('saidBy', { name: isOwn ? t('you') : name })}</span>}
          {replyTo && <Quote replyTo={replyTo} onGo={() => actions.goTo(replyTo.id)} />}
          {attachments.map((one) => (
            <Card key={one.id} attachment={one} chatId={message.chatId} />
          ))}
          {text !== '' && <LinkedText text={text} names={names} />}
          <Attachments attachments={attachments} name={isOwn ? t('you') : name} />
        </div>
        <span className={styles.meta}>
          <time dateTime={at} title={formatDate(at)}>
            {formatTime(at)}
          </time>
          {mark === 'sent' && (
            <span title={t('sendSuccess')}>
              <CheckOutlined aria-label={t('sendSuccess')} />
            </span>
          )}
          {mark === 'read' && <span>{t('read')}</span>}
        </span>
      </div>
      <Menu {...props} isOwn={isOwn} name={name} />
    </div>
  )
}

function Card({ attachment: { kind, id }, chatId }: { attachment: Attachment; chatId: string }) {
  if (kind === 'round') return <RoundCard chatId={chatId} roundId={id} />
  return kind === 'opinion' ? <OpinionCard opinionId={id} /> : null
}

function Menu({
  message,
  isOwn,
  name,
  canReply,
  withdrawMs,
  actions,
}: Props & { isOwn: boolean; name: string }) {
  const { t } = useTranslation('social')
  const canWithdraw = isOwn && Date.now() - Date.parse(message.at) < withdrawMs
  const items = [
    canReply && { key: 'reply', label: t('reply'), onClick: () => actions.reply(message) },
    canWithdraw && { key: 'withdraw', label: t('withdraw'), onClick: () => actions.withdraw(message) },
    !isOwn && { key: 'report', label: t('report.open'), onClick: () => actions.report(message) },
  ].filter((item) => item !== false)
  if (items.length === 0) return null
  return (
    <Dropdown trigger={['click']} menu={{ items }} destroyOnHidden>
      <Button
        type="text"
        size="small"
        className={styles.more ?? ''}
        icon={<MoreOutlined aria-hidden />}
        aria-label={t('messageMenu', { name: isOwn ? t('you') : name, time: formatTime(message.at) })}
      />
    </Dropdown>
  )
}

/** The message that is answered; pressed, it is shown in its place. */
export function Quote({ replyTo, onGo }: { replyTo: NonNullable<Message['replyTo']>; onGo?: () => void }) {
  const { t } = useTranslation(['social', 'social-attachments'])
  const { text, attached } = replyTo
  const name = replyTo.from.nickName || t('closedAccount')
  const instead = attached === null ? t('withdrawn', { name }) : t(`social-attachments:said.${attached}`)
  const said = (
    <>
      <strong>{name}</strong>
      <span>{text === '' ? instead : text}</span>
    </>
  )
  if (!onGo) return <span className={styles.quote}>{said}</span>
  return (
    <button type="button" className={styles.quote} onClick={onGo} aria-label={t('goToQuoted', { name })}>
      {said}
    </button>
  )
}

type UnsentProps = { unsent: Unsent; onRetry: () => void; onDiscard: () => void }

/** An own message that the server has not confirmed yet. */
export function UnsentLine({ unsent, onRetry, onDiscard }: UnsentProps) {
  const { text, attachments, replyTo, state, reason } = unsent
  const { t } = useTranslation('social')
  return (
    <div className={styles.message} data-own data-state={state}>
      <div className={styles.body}>
        <div className={styles.bubble}>
          {replyTo && <Quote replyTo={replyTo} />}
          {text !== '' && <LinkedText text={text} />}
          <Attachments attachments={attachments} name={t('you')} />
        </div>
        {state === 'waiting' ? (
          <span className={styles.meta}>
            <ClockCircleOutlined aria-hidden /> {t('sending')}
          </span>
        ) : (
          <span className={styles.failed} role="alert">
            {reason === '' ? t('notSent') : reason}
            <Button type="link" size="small" onClick={onRetry}>
              {t('tryAgain')}
            </Button>
            <Button type="link" size="small" onClick={onDiscard}>
              {t('discard')}
            </Button>
          </span>
        )}
      </div>
    </div>
  )
}
