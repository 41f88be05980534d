import { roles } from '@neuroloom/contract/accounts/roles'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { OfficeGate } from '../features/accounts/second-factor/office-gate.tsx'
import { Members } from '../features/admin/members.tsx'
import { ServerState } from '../features/admin/server-state.tsx'
import { VisitorMessages } from '../features/admin/visitor-messages.tsx'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { NotFound } from './not-found.tsx'

const Plans = lazyPart(async () => (await import('../features/office/plans.tsx')).Plans)
const Orders = lazyPart(async () => (await import('../features/office/orders.tsx')).Orders)
const Invoices = lazyPart(async () => (await import('../features/office/invoices.tsx')).Invoices)
const Listings = lazyPart(async () => (await import('../features/office/listings.tsx')).Listings)
const Withdrawals = lazyPart(async () => (await import('../features/office/withdrawals.tsx')).Withdrawals)
const SocialReports = lazyPart(
  async () => (await import('../features/office/social-reports.tsx')).SocialReports,
)
const Demands = lazyPart(async () => (await import('../features/office/demands.tsx')).Demands)
const Claims = lazyPart(async () => (await import('../features/office/claims.tsx')).Claims)

/** Where something is sold and members meet, neither of which a hospital’s own server has. */
const publicParts = [
  'members',
  'plans',
  'orders',
  'invoices',
  'listings',
  'claims',
  'demands',
  'withdrawals',
  'reports',
  'messages',
  'server',
] as const
const ownParts = ['members', 'messages', 'server'] as const
type Part = (typeof publicParts)[number]

/** The back-office. To anybody but an administrator it does not exist. */
export function Admin() {
  return useUser()?.role === roles.administrator ? <Parts /> : <NotFound isFramed />
}

function Parts() {
  const { t } = useTranslation('admin')
  const [search] = useSearchParams()
  const setting = useCall('setting/public', {}, { quiet: true })
  const isPublic = setting.data?.host === 0
  const wanted = publicParts.find((one) => one === search.get('part')) ?? 'members'
  const parts: readonly Part[] = isPublic ? publicParts : ownParts
  // Until it is known what kind of server this is, nothing else takes the place of what was asked for.
  const part = setting.isPending || parts.includes(wanted) ? wanted : 'members'
  const tabs = parts.map((key) => ({
    key,
    label: t(`part.${key}`),
    to: key === 'members' ? '/admin' : `/admin?part=${key}`,
  }))
  return (
    <Page>
      <PageHeader title={t('title')} subtitle={t(`subtitle.${part}`)} />
      <TabLinks label={t('title')} tabs={tabs} current={part} />
      <OfficeGate>
        <Suspense fallback={<Loading shape="rows" />}>
          {parts.includes(part) ? <Shown part={part} hasLevels={isPublic} /> : <Loading shape="rows" />}
        </Suspense>
      </OfficeGate>
    </Page>
  )
}

function Shown({ part, hasLevels }: { part: Part; hasLevels: boolean }) {
  switch (part) {
    case 'members':
      return <Members hasLevels={hasLevels} />
    case 'plans':
      return <Plans />
    case 'orders':
      return <Orders />
    case 'invoices':
      return <Invoices />
    case 'listings':
      return <Listings />
    case 'claims':
      return <Claims />
    case 'demands':
      return <Demands />
    case 'withdrawals':
      return <Withdrawals />
    case 'reports':
      return <SocialReports />
    case 'messages':
      return <VisitorMessages />
    case 'server':
      return <ServerState />
  }
}
