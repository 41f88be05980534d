import { roles } from '@neuroloom/contract/accounts/roles'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { OfficeGate } from '../features/accounts/second-factor/office-gate.tsx'
import { Members } from '../features/admin/members.tsx'
import { ServerState } from '../features/admin/server-state.tsx'
import { VisitorMessages } from '../features/admin/visitor-messages.tsx'
import { PartMenu } from '../features/office/part-menu.tsx'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import styles from './admin.module.css'
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
const Backups = lazyPart(async () => (await import('../features/office/backups.tsx')).Backups)
const Overview = lazyPart(async () => (await import('../features/office/overview.tsx')).Overview)
const Jobs = lazyPart(async () => (await import('../features/office/jobs.tsx')).Jobs)
const Announcements = lazyPart(
  async () => (await import('../features/office/announcements.tsx')).Announcements,
)
const Claims = lazyPart(async () => (await import('../features/office/claims.tsx')).Claims)

/** The parts by subject, and whether a hospital’s own server has them: there nothing is sold and members do not meet. */
const groups = [
  { name: 'people', parts: ['members', 'messages', 'reports', 'announcements'] },
  { name: 'work', parts: ['jobs'] },
  { name: 'money', parts: ['plans', 'orders', 'invoices', 'listings', 'claims', 'demands', 'withdrawals'] },
  { name: 'server', parts: ['overview', 'backups', 'server'] },
] as const
type Part = (typeof groups)[number]['parts'][number]
const ownParts: readonly Part[] = [
  'members',
  'messages',
  'announcements',
  'jobs',
  'overview',
  'backups',
  'server',
]
const allParts: readonly Part[] = groups.flatMap(({ parts }) => parts)

/** The back-office. To anybody but an administrator it does not exist. */
export function Admin() {
  return useUser()?.role === roles.administrator ? <Parts /> : <NotFound isFramed />
}

function Parts() {
  const { t } = useTranslation('admin')
  const [search] = useSearchParams()
  const setting = useCall('setting/public', {}, { quiet: true })
  const isPublic = setting.data?.host === 0
  const wanted = allParts.find((one) => one === search.get('part')) ?? 'members'
  const parts = isPublic ? allParts : ownParts
  // Until it is known what kind of server this is, nothing else takes the place of what was asked for.
  const part = setting.isPending || parts.includes(wanted) ? wanted : 'members'
  const shown = groups
    .map(({ name, parts: own }) => ({ name, parts: own.filter((one) => parts.includes(one)) }))
    .filter((group) => group.parts.length > 0)
  return (
    <Page>
      <PageHeader title={t('title')} subtitle={t(`subtitle.${part}`)} />
      <OfficeGate>
        <div className={styles.parts}>
          <PartMenu groups={shown} current={part} />
          <div>
            <Suspense fallback={<Loading shape="rows" />}>
              {parts.includes(part) ? <Shown part={part} hasLevels={isPublic} /> : <Loading shape="rows" />}
            </Suspense>
          </div>
        </div>
      </OfficeGate>
    </Page>
  )
}

function Shown({ part, hasLevels }: { part: Part; hasLevels: boolean }) {
  switch (part) {
    case 'members':
      return <Members hasLevels={hasLevels} />
    case 'overview':
      return <Overview />
    case 'jobs':
      return <Jobs />
    case 'backups':
      return <Backups />
    case 'announcements':
      return <Announcements />
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
