import type { Post } from '@neuroloom/contract/social/posts'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { LinkedText } from '../linked-text.tsx'
import styles from './posts.module.css'

/** What a post said before its changes, the latest first. */
export function HistoryDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const { t } = useTranslation('social-posts')
  const { data, error, refetch } = useCall('social/postHistory', { postId: post.id }, { quiet: true })
  return (
    <Modal open centered width={640} title={t('history.title')} footer={null} onCancel={onClose}>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={2} />}
      {data?.versions.length === 0 && <p>{t('history.none')}</p>}
      <ol className={styles.versions} aria-label={t('history.title')}>
        {data?.versions.map(({ text, at }) => (
          <li key={at}>
            <time className={styles.soft} dateTime={at}>
              {t('history.at', { when: formatDate(at, 'minute') })}
            </time>
            <p>
              <LinkedText text={text} />
            </p>
          </li>
        ))}
      </ol>
    </Modal>
  )
}
