import { roles } from '@neuroloom/contract/accounts/roles'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Members } from '../features/admin/members.tsx'
import { ServerState } from '../features/admin/server-state.tsx'
import { VisitorMessages } from '../features/admin/visitor-messages.tsx'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { NotFound } from './not-found.tsx'

const parts = ['members', 'messages', 'server'] as const

/** The back-office. To anybody but an administrator it does not exist. */
export function Admin() {
  return useUser()?.role === roles.administrator ? <Parts /> : <NotFound isFramed />
}

function Parts() {
  const { t } = useTranslation('admin')
  const [search] = useSearchParams()
  const setting = useCall('setting/public', {}, { quiet: true })
  const part = parts.find((one) => one === search.get('part')) ?? 'members'
  const tabs = parts.map((key) => ({
    key,
    label: t(`part.${key}`),
    to: key === 'members' ? '/admin' : `/admin?part=${key}`,
  }))
  return (
    <Page>
      <PageHeader title={t('title')} subtitle={t(`subtitle.${part}`)} />
      <TabLinks label={t('title')} tabs={tabs} current={part} />
      {part === 'members' && <Members hasLevels={setting.data?.host === 0} />}
      {part === 'messages' && <VisitorMessages />}
      {part === 'server' && <ServerState />}
    </Page>
  )
}
