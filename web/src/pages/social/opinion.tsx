import type { Opinion } from '@neuroloom/contract/social/opinions'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { chatAddress } from '../../features/social/chats/addresses.ts'
import { useHasCommunity } from '../../features/social/community.ts'
import { opinionAddress } from '../../features/social/opinions/addresses.ts'
import { Agreement } from '../../features/social/opinions/agreement.tsx'
import { AnswersTable } from '../../features/social/opinions/answers-table.tsx'
import { AskOpinion, type StudiesPicker } from '../../features/social/opinions/ask-opinion.tsx'
import { recordCsv } from '../../features/social/opinions/record.ts'
import { saveBlob } from '../../lib/download.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader, Panel } from '../../ui/page.tsx'
import styles from './opinion.module.css'
import { OpinionReading } from './opinion-reading.tsx'

/** `/opinion?id=`: a second opinion; `?chat=`: asks for one in a chat. */
export function OpinionPage() {
  const { t } = useTranslation('social-opinions')
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const user = useUser()
  const hasCommunity = useHasCommunity()
  const opinionId = params.get('id')
  const chatId = params.get('chat')
  if (hasCommunity === false || (opinionId === null && chatId === null))
    return <Navigate to="/socialHome" replace />
  if (hasCommunity === null || user === null)
    return (
      <Page>
        <Loading shape="page" />
      </Page>
    )
  if (opinionId !== null) return <Asked key={opinionId} opinionId={opinionId} />
  return (
    <Page>
      <PageHeader
        title={t('new.heading')}
        subtitle={t('new.subtitle')}
        back={{ to: chatAddress(chatId ?? ''), label: t('back') }}
      />
      <AskOpinion
        chatId={chatId ?? ''}
        ownId={user.id}
        picker={Picker}
        onAsked={({ id }) => void navigate(opinionAddress(id), { replace: true })}
      />
    </Page>
  )
}

/** Others answer meanwhile. */
const ASK_AGAIN_MS = 20_000

function Asked({ opinionId }: { opinionId: string }) {
  const query = useCall('opinion/show', { opinionId }, { quiet: true, refetchInterval: ASK_AGAIN_MS })
  if (query.data) return <Shown opinion={query.data} />
  return (
    <Page>
      {query.error ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading shape="page" />
      )}
    </Page>
  )
}

function Shown({ opinion }: { opinion: Opinion }) {
  const { t } = useTranslation('social-opinions')
  const [isClosing, setIsClosing] = useState(false)
  const { id: opinionId, asker, readers, question, chatName, chatId, closedAt, until, askedAt } = opinion
  const close = useAction('opinion/close', { refresh: ['opinion/show'] })
  const names = new Map([asker, ...readers].map(({ id, nickName }) => [id, nickName]))
  const nameOf = (id: string): string => names.get(id) || t('closedAccount')
  const save = () =>
    saveBlob('second-opinion.csv', new Blob([`\ufeff${recordCsv(opinion, nameOf)}`], { type: 'text/csv' }))
  return (
    <Page>
      <PageHeader
        title={question}
        subtitle={t('askedBy', {
          name: nameOf(asker.id),
          chat: chatName,
          when: formatDate(askedAt, 'minute'),
        })}
        back={{ to: chatAddress(chatId), label: t('back') }}
        actions={
          opinion.results && (
            <span className={styles.actions}>
              <Button onClick={save}>{t('csv')}</Button>
              <Button onClick={() => window.print()}>{t('print')}</Button>
            </span>
          )
        }
      />
      <div className={styles.parts}>
        {opinion.canAnswer && <OpinionReading opinion={opinion} />}
        {opinion.results && (
          <Panel>
            <div className={styles.parts}>
              <Agreement opinion={opinion} nameOf={nameOf} />
              <AnswersTable opinion={opinion} nameOf={nameOf} />
            </div>
          </Panel>
        )}
        <Panel title={t('readers')}>
          <ul className={styles.readers}>
            {readers.map(({ id, answered, doneAt }) => (
              <li key={id}>
                {nameOf(id)}:{' '}
                {doneAt
                  ? t('doneAt', { when: formatDate(doneAt, 'minute') })
                  : t('answered', { answered, count: opinion.studies.length })}
              </li>
            ))}
          </ul>
          <p className={styles.soft}>
            {closedAt
              ? t('closedAt', { when: formatDate(closedAt, 'minute') })
              : t('until', { when: formatDate(until, 'minute') })}
          </p>
          {!opinion.results && <p className={styles.soft}>{t('blind')}</p>}
          {opinion.isAsker && closedAt === null && (
            <Button danger onClick={() => setIsClosing(true)}>
              {t('close.open')}
            </Button>
          )}
        </Panel>
      </div>
      <ConfirmRemove
        open={isClosing}
        title={t('close.ask')}
        text={t('close.text')}
        confirmLabel={t('close.open')}
        onConfirm={() => close.mutateAsync({ opinionId })}
        onClose={() => setIsClosing(false)}
      />
    </Page>
  )
}

const Picker: StudiesPicker = ({ open, onPick, onClose }) => {
  const { t } = useTranslation('social-opinions')
  return (
    <SourcePicker
      open={open}
      busy={false}
      title={t('new.choose')}
      okText={t('new.take')}
      onPick={(chosen, entries) => {
        if ('fileIds' in chosen) onPick(entries.map(({ id, name }) => ({ id, name })))
      }}
      onClose={onClose}
    />
  )
}
