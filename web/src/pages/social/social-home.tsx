import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Introduction } from '../../features/introductions/introduction.tsx'
import { FilePicker } from '../../features/social/attachments/file-picker.ts'
import { useHasCommunity } from '../../features/social/community.ts'
import { useSocialStore } from '../../features/social/social-store.ts'
import { useIsOff } from '../../lib/modules.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useIsNarrow } from '../../ui/hooks/use-media.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader, useTitle } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import styles from './social-home.module.css'

const CloudPicker = lazyPart(async () => (await import('./cloud-picker.tsx')).CloudPicker, { over: true })

const people = () => import('../../features/social/people/tabs.tsx')

/** Each tab is loaded when it is first opened. */
const parts = {
  chat: lazyPart(async () => (await import('../../features/social/chats/chats.tsx')).Chats),
  messages: lazyPart(async () => (await import('../../features/notices/message-box.tsx')).MessageBox),
  book: lazyPart(async () => (await people()).AddressBook),
  posts: lazyPart(async () => (await import('../../features/social/posts/posts.tsx')).Posts),
  friends: lazyPart(async () => (await people()).Friends),
  fans: lazyPart(async () => (await people()).Fans),
}
// The record's own keys.
const tabs = Object.keys(parts) as (keyof typeof parts)[]

/** `/socialHome`: the community; `?tab=`: its parts, `?chat=`: one conversation. */
export function SocialHome() {
  const { t } = useTranslation('social')
  const hasCommunity = useHasCommunity()
  const isOff = useIsOff('social')
  if (hasCommunity === null)
    return (
      <Page>
        <Loading shape="page" />
      </Page>
    )
  if (hasCommunity) return <Community />
  return (
    <Page>
      <PageHeader title={t('title')} />
      <EmptyState title={t('unavailable')} text={t(isOff ? 'off' : 'unavailableText')} />
    </Page>
  )
}

function Community() {
  const { t } = useTranslation('social')
  const [query] = useSearchParams()
  const isNarrow = useIsNarrow()
  const { chartData, messageData, memberData } = useSocialStore()
  // Groups stand beside the conversations.
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'chat'
  const counts: { [Tab in typeof tab]?: number } = {
    chat: chartData.unreadCount,
    messages: messageData.unreadCount,
    book: memberData.unreadCount,
  }
  const Part = parts[tab]
  // On a phone an open conversation has all of the page.
  const isConversation = tab === 'chat' && (query.has('chat') || query.has('with'))
  const content = (
    <Suspense fallback={<Loading shape="rows" />}>
      <FilePicker value={CloudPicker}>
        <Part />
      </FilePicker>
    </Suspense>
  )
  if (isNarrow && isConversation) return <OneConversation>{content}</OneConversation>
  return (
    <>
      <Introduction module="social" />
      <Page>
        <PageHeader
          title={t('title')}
          name={tab === 'chat' ? t('title') : `${t(`tab.${tab}`)} · ${t('title')}`}
          subtitle={t('subtitle')}
        />
        <TabLinks
          label={t('tabs')}
          tabs={tabs.map((key) => ({
            key,
            label: counts[key]
              ? t('tabUnread', { name: t(`tab.${key}`), count: counts[key] })
              : t(`tab.${key}`),
            to: `/socialHome?tab=${key}`,
          }))}
          current={tab}
        />
        {content}
      </Page>
    </>
  )
}

function OneConversation({ children }: { children: ReactNode }) {
  const { t } = useTranslation('social')
  useTitle(t('title'))
  return <div className={styles.phone}>{children}</div>
}
