import { SearchOutlined } from '@ant-design/icons'
import { Button, Input, Segmented } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { allPosts, topicAddress } from './addresses.ts'
import { Composer } from './composer.tsx'
import { Feed, type FeedOf } from './feed.tsx'
import { PostPage } from './post-page.tsx'
import styles from './posts.module.css'

const LEAST_SIGNS = 2

/** Posts of members; which ones are shown is in the address, so that it can be passed on. */
export function Posts() {
  const [query] = useSearchParams()
  const postId = query.get('post')
  if (postId !== null) return <PostPage key={postId} postId={postId} />
  return <Feeds />
}

function Feeds() {
  const { t } = useTranslation('social-posts')
  const [query, setQuery] = useSearchParams()
  const composer = useRef<TextAreaRef>(null)
  const of = feedOf(query)
  const show = (changes: Record<string, string>) => setQuery({ tab: 'posts', ...changes })
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <section className={styles.panel} aria-label={t('write.label')}>
          <Composer field={composer} />
        </section>
        <div className={styles.tools}>
          {(of.of === 'all' || of.of === 'followed') && (
            <Segmented<'all' | 'followed'>
              aria-label={t('feed.which')}
              value={of.of}
              onChange={(value) => show(value === 'all' ? {} : { feed: value })}
              options={(['all', 'followed'] as const).map((value) => ({ value, label: t(`feed.${value}`) }))}
            />
          )}
          {of.of !== 'all' && of.of !== 'followed' && (
            <div className={styles.filter}>
              <FeedTitle of={of} />
              <Link to={allPosts}>{t('feed.back')}</Link>
            </div>
          )}
          <Search
            key={query.get('q') ?? ''}
            text={query.get('q') ?? ''}
            onSearch={(q) => show(q === '' ? {} : { q })}
          />
        </div>
        <Feed key={JSON.stringify(of)} of={of} empty={<NoPosts of={of} composer={composer} />} />
      </div>
      <Topics current={of.of === 'topic' ? of.topic : null} />
    </div>
  )
}

function feedOf(query: URLSearchParams): FeedOf {
  const topic = query.get('topic')?.trim() ?? ''
  const memberId = query.get('member') ?? ''
  const text = query.get('q')?.trim() ?? ''
  if (topic !== '') return { of: 'topic', topic: topic.toLowerCase() }
  if (memberId !== '') return { of: 'member', memberId }
  if (text.length >= LEAST_SIGNS) return { of: 'text', text }
  return { of: query.get('feed') === 'followed' ? 'followed' : 'all' }
}

/** What a feed is narrowed to. */
function FeedTitle({ of }: { of: FeedOf }) {
  const { t } = useTranslation('social-posts')
  if (of.of === 'topic') return <h2>#{of.topic}</h2>
  if (of.of === 'text') return <h2>{t('feed.with', { text: of.text })}</h2>
  return of.of === 'member' ? <MemberTitle memberId={of.memberId} /> : null
}

function MemberTitle({ memberId }: { memberId: string }) {
  const { t } = useTranslation('social-posts')
  const { data } = useCall('social/card', { memberId }, { quiet: true })
  return <h2>{data ? t('feed.by', { name: data.nickName }) : t('feed.byMember')}</h2>
}

function Search({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation('social-posts')
  const [typed, setTyped] = useState(text)
  const wanted = typed.trim()
  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted.length !== 1) onSearch(wanted)
        }}
      >
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('search.label')}
          aria-label={t('search.label')}
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button htmlType="submit" disabled={wanted.length === 1}>
          {t('search.do')}
        </Button>
      </form>
    </search>
  )
}

type NoPostsProps = { of: FeedOf; composer: RefObject<TextAreaRef | null> }

/** Says why nothing is here, with the one step that changes it. */
function NoPosts({ of, composer }: NoPostsProps) {
  const { t } = useTranslation('social-posts')
  const toAll = <Link to={allPosts}>{t('feed.back')}</Link>
  const toWrite = (
    <Button type="primary" onClick={() => composer.current?.focus()}>
      {t('empty.write')}
    </Button>
  )
  return (
    <EmptyState
      title={t(`empty.${of.of}.title`)}
      text={t(`empty.${of.of}.text`)}
      action={of.of === 'all' || of.of === 'topic' ? toWrite : toAll}
    />
  )
}

/** Topics of the last weeks by how much is written about them. */
function Topics({ current }: { current: string | null }) {
  const { t } = useTranslation('social-posts')
  const { data } = useCall('social/topics', {}, { quiet: true })
  if (!data) return null
  return (
    <aside className={styles.panel} aria-labelledby="social-topics">
      <h2 id="social-topics" className={styles.topicsTitle}>
        {t('topics.title')}
      </h2>
      {data.topics.length === 0 && <p className={styles.soft}>{t('topics.none')}</p>}
      <ul className={styles.topics}>
        {data.topics.map(({ topic, posts }) => (
          <li key={topic}>
            <Link to={topicAddress(topic)} aria-current={topic === current ? 'page' : undefined}>
              #{topic}
            </Link>
            <span className={styles.soft}>{t('topics.posts', { count: posts })}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
