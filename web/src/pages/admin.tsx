import { roles } from '@neuroloom/contract/accounts/roles'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { OfficeGate } from '../features/accounts/second-factor/office-gate.tsx'
import { Members } from '../features/admin/members.tsx'
import { ServerState } from '../features/admin/server-state.tsx'
import { VisitorMessages } from '../features/admin/visitor-messages.tsx'
import { WorkActions } from '../features/custom/work-actions.tsx'
import { PartMenu } from '../features/office/part-menu.tsx'
import { useCall } from '../lib/query.ts'
import { useUser } from '../lib/session.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import styles from './admin.module.css'
import { NotFound } from './not-found.tsx'

const Partners = lazyPart(async () => (await import('../features/admin/partners.tsx')).Partners)
const Published = lazyPart(async () => (await import('../features/office/published.tsx')).Published)
const Plans = lazyPart(async () => (await import('../features/office/plans.tsx')).Plans)
const Orders = lazyPart(async () => (await import('../features/office/orders.tsx')).Orders)
const Invoices = lazyPart(async () => (await import('../features/office/invoices.tsx')).Invoices)
const Limits = lazyPart(async () => (await import('../features/office/limits.tsx')).Limits)
const Listings = lazyPart(async () => (await import('../features/office/listings.tsx')).Listings)
const Withdrawals = lazyPart(async () => (await import('../features/office/withdrawals.tsx')).Withdrawals)
const CustomTasks = lazyPart(async () => (await import('../features/office/custom-tasks.tsx')).CustomTasks)
const CodeUploads = lazyPart(async () => (await import('../features/office/code-uploads.tsx')).CodeUploads)
const PythonEditor = lazyPart(
  async () => (await import('../features/networks/panels/code/python-editor.tsx')).PythonEditor,
)
const SocialReports = lazyPart(
  async () => (await import('../features/office/social-reports.tsx')).SocialReports,
)
const Demands = lazyPart(async () => (await import('../features/office/demands.tsx')).Demands)
const Backups = lazyPart(async () => (await import('../features/office/backups/backups.tsx')).Backups)
const Modules = lazyPart(async () => (await import('../features/office/modules.tsx')).Modules)
const Overview = lazyPart(async () => (await import('../features/office/overview/overview.tsx')).Overview)
const Jobs = lazyPart(async () => (await import('../features/office/jobs.tsx')).Jobs)
const Announcements = lazyPart(
  async () => (await import('../features/office/announcements.tsx')).Announcements,
)
const Claims = lazyPart(async () => (await import('../features/office/claims.tsx')).Claims)

/** The parts by subject, and whether a hospital’s own server has them: there nothing is sold and members do not meet. */
const groups = [
  { name: 'people', parts: ['members', 'partners', 'messages', 'reports', 'announcements'] },
  { name: 'work', parts: ['jobs', 'published', 'tasks', 'code'] },
  {
    name: 'money',
    parts: ['plans', 'limits', 'orders', 'invoices', 'listings', 'claims', 'demands', 'withdrawals'],
  },
  { name: 'server', parts: ['overview', 'modules', 'backups', 'server'] },
] as const
type Part = (typeof groups)[number]['parts'][number]
const ownParts: readonly Part[] = [
  'members',
  'partners',
  'messages',
  'announcements',
  'jobs',
  'published',
  'code',
  'overview',
  'modules',
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
    case 'partners':
      return <Partners />
    case 'published':
      return <Published />
    case 'overview':
      return <Overview />
    case 'jobs':
      return <Jobs />
    case 'backups':
      return <Backups />
    case 'modules':
      return <Modules />
    case 'announcements':
      return <Announcements />
    case 'plans':
      return <Plans />
    case 'limits':
      return <Limits />
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
    case 'tasks':
      return <CustomTasks Work={WorkActions} />
    case 'code':
      return <CodeUploads Text={PythonEditor} />
    case 'reports':
      return <SocialReports />
    case 'messages':
      return <VisitorMessages />
    case 'server':
      return <ServerState />
  }
}
