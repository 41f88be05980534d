import { PlusOutlined, SearchOutlined } from '@ant-design/icons'
import type { Member } from '@neuroloom/contract/accounts/members'
import { roles } from '@neuroloom/contract/accounts/roles'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import tools from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { CreateMemberDialog } from './create-member-dialog.tsx'
import { MemberCard } from './member-card.tsx'
import { type Given, PasswordShown } from './password-shown.tsx'
import styles from './visitor-messages.module.css'

/** Everybody who has an account here; who is new, who forgot the password, who may do what. */
export function Members({ hasLevels }: { hasLevels: boolean }) {
  const { t } = useTranslation('members')
  const search = useTyped()
  const [role, setRole] = useState<Member['role'] | null>(null)
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [given, setGiven] = useState<Given | null>(null)
  const wanted = { search: search.settled, role, page }
  const { data, error, refetch } = useCall('members/list', wanted, { quiet: true, keepPrevious: true })
  return (
    <>
      <div className={tools.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('search')}
          aria-label={t('search')}
          maxLength={200}
          value={search.text}
          onChange={({ target }) => {
            search.setText(target.value)
            setPage(1)
          }}
        />
        <Select<Member['role'] | 'all'>
          className={tools.select ?? ''}
          aria-label={t('role')}
          value={role ?? 'all'}
          onChange={(chosen) => {
            setRole(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            { value: 'all' as const, label: t('allRoles') },
            ...Object.values(roles).map((value) => ({ value, label: t(`roles.${value}`) })),
          ]}
        />
        <span className={tools.spring} />
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setCreating(true)}>
          {t('create.open')}
        </Button>
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={4} />}
      {data?.members.length === 0 && <EmptyState title={t('empty.title')} text={t('empty.text')} />}
      <ul className={styles.list} aria-label={t('title')}>
        {data?.members.map((member) => (
          <li key={member.id}>
            <MemberCard member={member} hasLevels={hasLevels} onPassword={setGiven} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
      {isCreating && (
        <CreateMemberDialog hasLevels={hasLevels} onMade={setGiven} onClose={() => setCreating(false)} />
      )}
      {given && <PasswordShown given={given} onClose={() => setGiven(null)} />}
    </>
  )
}
