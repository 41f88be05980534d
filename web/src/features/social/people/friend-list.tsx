import { SearchOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './people.module.css'

export type Friend = Answer<'social/friends'>['friends'][number]

type Props = {
  shape: 'rows' | 'cards'
  /** Names the region of its own that the list is, if it is one. */
  label?: string
  /** How to find friends, for who has none. */
  find: ReactNode
  /** Beside the field that searches among so many. */
  beside?: (count: number) => ReactNode
  /** Draws those that were found. */
  children: (found: readonly Friend[]) => ReactNode
}

/** The member's friends with a field that searches among them by name. */
export function FriendList({ shape, label, find, beside, children }: Props) {
  const { t } = useTranslation('social-people')
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useCall('social/friends', {}, { quiet: true })
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape={shape} />
  if (data.friends.length === 0)
    return <EmptyState title={t('book.empty')} text={t('book.emptyText')} action={find} />
  const wanted = typed.trim().toLowerCase()
  const found = data.friends.filter(({ nickName }) => nickName.toLowerCase().includes(wanted))
  const field = (
    <Input
      allowClear
      type="search"
      prefix={<SearchOutlined aria-hidden />}
      placeholder={t('book.search')}
      aria-label={t('book.search')}
      maxLength={100}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
  const list = (
    <>
      {beside ? (
        <div className={styles.tools}>
          {field}
          {beside(data.friends.length)}
        </div>
      ) : (
        field
      )}
      {found.length === 0 && (
        <p role="status" className={styles.none}>
          {t('book.none')}
        </p>
      )}
      {children(found)}
    </>
  )
  return label === undefined ? list : <section aria-label={label}>{list}</section>
}
