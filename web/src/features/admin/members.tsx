import { DownOutlined, PlusOutlined, SearchOutlined, UploadOutlined } from '@ant-design/icons'
import {
  type Member,
  type MemberSort,
  type MemberState,
  memberStates,
} from '@neuroloom/contract/accounts/members'
import { roles } from '@neuroloom/contract/accounts/roles'
import { Button, Input, Select } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { levelNames } from '../../lib/level-names.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import tools from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { CreateMemberDialog } from './create-member-dialog.tsx'
import { MemberTable } from './member-table.tsx'
import { type Given, PasswordShown } from './password-shown.tsx'

const ImportDialog = lazyPart(async () => (await import('./import-dialog.tsx')).ImportDialog, { over: true })

type Filters = {
  role: Member['role'] | null
  level: number | null
  state: MemberState | null
  hasSecondFactor: boolean | null
}
const everybody: Filters = { role: null, level: null, state: null, hasSecondFactor: null }

/** Everybody who has an account here; who is new, who forgot the password, who may do what. */
export function Members({ hasLevels }: { hasLevels: boolean }) {
  const { t } = useTranslation('members')
  const search = useTyped()
  const [filters, setFilters] = useState(everybody)
  const [order, setOrder] = useState<{ sort: MemberSort; isDescending: boolean }>({
    sort: 'made',
    isDescending: true,
  })
  const [page, setPage] = useState(1)
  const [dialog, setDialog] = useState<'create' | 'import' | null>(null)
  const [given, setGiven] = useState<Given | null>(null)
  const wanted = { search: search.settled, ...filters, ...order, page }
  const { data, error, refetch } = useCall('members/list', wanted, { quiet: true, keepPrevious: true })
  const filter = (more: Partial<Filters>) => {
    setFilters({ ...filters, ...more })
    setPage(1)
  }
  const close = () => setDialog(null)
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
        <MemberFilters filters={filters} hasLevels={hasLevels} onChange={filter} />
        <span className={tools.spring} />
        <Button icon={<UploadOutlined aria-hidden />} onClick={() => setDialog('import')}>
          {t('import.open')}
        </Button>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setDialog('create')}>
          {t('create.open')}
        </Button>
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={6} />}
      {data?.members.length === 0 && <EmptyState title={t('empty.title')} text={t('empty.text')} />}
      {data && data.members.length > 0 && (
        <MemberTable
          members={data.members}
          hasLevels={hasLevels}
          order={order}
          onOrder={(sort, isDescending) => {
            setOrder({ sort, isDescending })
            setPage(1)
          }}
          onPassword={setGiven}
        />
      )}
      {data && <ListPages {...data} page={page} onPage={setPage} />}
      {dialog === 'create' && <CreateMemberDialog hasLevels={hasLevels} onMade={setGiven} onClose={close} />}
      <Suspense>{dialog === 'import' && <ImportDialog hasLevels={hasLevels} onClose={close} />}</Suspense>
      {given && <PasswordShown given={given} onClose={() => setGiven(null)} />}
    </>
  )
}

type MemberFiltersProps = {
  filters: Filters
  hasLevels: boolean
  onChange: (more: Partial<Filters>) => void
}

function MemberFilters({ filters, hasLevels, onChange }: MemberFiltersProps) {
  const { t } = useTranslation(['members', 'levels'])
  const { role, level, state, hasSecondFactor } = filters
  const factor = hasSecondFactor === null ? null : hasSecondFactor ? 'on' : 'off'
  return (
    <>
      <Choice
        label={t('role')}
        all={t('allRoles')}
        value={role}
        options={Object.values(roles).map((value) => ({ value, label: t(`roles.${value}`) }))}
        onChange={(value) => onChange({ role: value })}
      />
      {hasLevels && (
        <Choice
          label={t('level')}
          all={t('allLevels')}
          value={level}
          options={levelNames.map((name, value) => ({ value, label: t(`levels:${name}`) }))}
          onChange={(value) => onChange({ level: value })}
        />
      )}
      <Choice
        label={t('table.state')}
        all={t('allStates')}
        value={state}
        options={memberStates.map((value) => ({ value, label: t(`state.${value}`) }))}
        onChange={(value) => onChange({ state: value })}
      />
      <Choice
        label={t('hasSecondFactor')}
        all={t('factor.all')}
        value={factor}
        options={(['on', 'off'] as const).map((value) => ({ value, label: t(`factor.${value}`) }))}
        onChange={(value) => onChange({ hasSecondFactor: value === null ? null : value === 'on' })}
      />
    </>
  )
}

type ChoiceProps<T extends string | number> = {
  label: string
  /** Called so where nothing is left out. */
  all: string
  value: T | null
  options: { value: T; label: string }[]
  onChange: (value: T | null) => void
}

function Choice<T extends string | number>({ label, all, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Select<T | 'all'>
      className={tools.select ?? ''}
      suffixIcon={<DownOutlined aria-hidden />}
      aria-label={label}
      value={value ?? 'all'}
      onChange={(chosen) => onChange(chosen === 'all' ? null : chosen)}
      options={[{ value: 'all' as const, label: all }, ...options]}
    />
  )
}
