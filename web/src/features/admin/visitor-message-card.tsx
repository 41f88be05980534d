import { canAnswerByMail } from '@neuroloom/contract/accounts/message-rules'
import type { VisitorMessage } from '@neuroloom/contract/site'
import { Button, Input, Tag } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import styles from './visitor-messages.module.css'

/** One message: who, what, and the answer to it. */
export function VisitorMessageCard({ message }: { message: VisitorMessage }) {
  const { t } = useTranslation('admin')
  const title = useId()
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{message.name}</h2>
        <Tag color={message.kind === 'consultation' ? 'cyan' : 'default'}>{t(`kind.${message.kind}`)}</Tag>
        {message.topic !== '' && <Tag>{t(`topic.${message.topic}`)}</Tag>}
        <time dateTime={message.at}>{formatDate(message.at, 'minute')}</time>
      </header>
      <p className={styles.from}>{[message.organ, message.contact].filter(Boolean).join(' · ')}</p>
      <p className={styles.text}>{message.text}</p>
      {message.answeredAt === null ? <AnswerForm message={message} /> : <Answered message={message} />}
    </article>
  )
}

function Answered({ message: { answer, answeredAt } }: { message: VisitorMessage }) {
  const { t } = useTranslation('admin')
  return (
    <div className={styles.answer}>
      <p>{t('answeredAt', { date: formatDate(answeredAt ?? '', 'minute') })}</p>
      {answer !== '' && <p className={styles.text}>{answer}</p>}
    </div>
  )
}

function AnswerForm({ message: { id, contact } }: { message: VisitorMessage }) {
  const { t } = useTranslation('admin')
  const [answer, setAnswer] = useState('')
  const send = useAction('site/answer', {
    refresh: ['site/messages'],
    // Whether a letter left the house is said even while another message is still to be seen.
    onDone: ({ isSent }) => toast.success(t(isSent ? 'sent' : 'kept'), { stack: true }),
  })
  return (
    <div className={styles.answer}>
      <Input.TextArea
        value={answer}
        autoSize={{ minRows: 2, maxRows: 12 }}
        maxLength={5000}
        aria-label={t('answer')}
        placeholder={t(canAnswerByMail(contact) ? 'answerByMail' : 'answerByHand')}
        onChange={({ target }) => setAnswer(target.value)}
      />
      <div className={styles.paging}>
        <Button
          type="primary"
          disabled={answer.trim() === ''}
          loading={send.isPending}
          onClick={() => send.mutate({ id, answer: answer.trim() })}
        >
          {t('send')}
        </Button>
        <Button disabled={send.isPending} onClick={() => send.mutate({ id, answer: '' })}>
          {t('settle')}
        </Button>
      </div>
    </div>
  )
}
