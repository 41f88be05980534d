import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import { chatAddress } from '../../features/social/chats/addresses.ts'
import { useHasCommunity } from '../../features/social/community.ts'
import { roundAddress } from '../../features/social/rounds/addresses.ts'
import { OpenRound, type StudyPicker } from '../../features/social/rounds/open-round.tsx'
import { RoundSide } from '../../features/social/rounds/round-side.tsx'
import { isGone, useRound } from '../../features/social/rounds/use-round.ts'
import { useUser } from '../../lib/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import styles from './round.module.css'
import { RoundImage } from './round-image.tsx'

/** `/round?id=`: a case round; `?chat=`: opens one in a chat. */
export function RoundPage() {
  const { t } = useTranslation('social-rounds')
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const user = useUser()
  const hasCommunity = useHasCommunity()
  const roundId = params.get('id')
  const chatId = params.get('chat')
  if (hasCommunity === false || (roundId === null && chatId === null))
    return <Navigate to="/socialHome" replace />
  if (hasCommunity === null || user === null)
    return (
      <Page>
        <Loading shape="page" />
      </Page>
    )
  if (roundId !== null) return <OpenedRound key={roundId} roundId={roundId} ownId={user.id} />
  return (
    <Page>
      <PageHeader
        title={t('new.heading')}
        subtitle={t('new.subtitle')}
        back={{ to: chatAddress(chatId ?? ''), label: t('back') }}
      />
      <OpenRound
        chatId={chatId ?? ''}
        picker={Picker}
        onOpened={({ id }) => void navigate(roundAddress(id), { replace: true })}
      />
    </Page>
  )
}

function OpenedRound({ roundId, ownId }: { roundId: string; ownId: string }) {
  const { t } = useTranslation('social-rounds')
  const navigate = useNavigate()
  const opened = useRound(roundId, ownId)
  const { query, isFollowing, setIsFollowing } = opened
  const { data: round, error, refetch } = query
  if (isGone(error))
    return (
      <Page>
        <PageHeader title={round?.title ?? t('round')} />
        <EmptyState
          title={t('ended.title')}
          text={t('ended.text')}
          action={
            <Button onClick={() => void navigate(round ? chatAddress(round.chatId) : '/socialHome')}>
              {t('back')}
            </Button>
          }
        />
      </Page>
    )
  if (!round)
    return (
      <Page>
        {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="page" />}
      </Page>
    )
  return (
    <Page>
      <PageHeader
        title={round.title}
        subtitle={t('shownBy', { name: round.host.nickName, chat: round.chatName })}
        back={{ to: chatAddress(round.chatId), label: t('back') }}
      />
      <div className={styles.round}>
        <RoundImage round={round} ownId={ownId} opened={opened} />
        <RoundSide
          round={round}
          ownId={ownId}
          isFollowing={isFollowing}
          onFollow={setIsFollowing}
          onEnded={() => void navigate(chatAddress(round.chatId))}
        />
      </div>
    </Page>
  )
}

/** One file; of a series, one of its slices. */
const Picker: StudyPicker = ({ open, onPick, onClose }) => {
  const { t } = useTranslation('social-rounds')
  return (
    <SourcePicker
      open={open}
      busy={false}
      title={t('new.choose')}
      okText={t('new.take')}
      onPick={(chosen, entries) => {
        const [first] = 'fileIds' in chosen ? entries : []
        if (first) onPick({ id: first.id, name: first.name })
      }}
      onClose={onClose}
    />
  )
}
