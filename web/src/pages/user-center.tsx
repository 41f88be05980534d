import type { ModuleName } from '@neuroloom/contract/office/modules'
import { Button } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { AccountHistory } from '../features/accounts/account-history.tsx'
import { CancelAccount } from '../features/accounts/cancel-account.tsx'
import { ChangePassword } from '../features/accounts/password-form.tsx'
import { ProfileCard } from '../features/accounts/profile-card.tsx'
import { SignIns } from '../features/accounts/sign-ins.tsx'
import { useSignOut } from '../features/accounts/sign-out.ts'
import { StorageBar } from '../features/files/storage-bar.tsx'
import { UsedLimits } from '../features/plans/used-limits.tsx'
import { useCall } from '../lib/query.ts'
import * as session from '../lib/session.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { useScrollHints } from '../ui/hooks/use-scroll-hints.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { LanguageSelect } from '../ui/look/language-select.tsx'
import { LookChoice } from '../ui/look/look-choice.tsx'
import { Page, PageHeader, Panel } from '../ui/page.tsx'
import { OwnCode, PrivateCustomisation } from './user-center/custom.tsx'
import { ShownIntroductions } from './user-center/introductions.tsx'
import { Letters } from './user-center/letters.tsx'
import { Membership, MoneyLeft, Orders, OwnPoints, OwnShop, OwnWallet } from './user-center/membership.tsx'
import styles from './user-center.module.css'

const SecondFactor = lazyPart(
  async () => (await import('../features/accounts/second-factor/second-factor.tsx')).SecondFactor,
)

const tabs = [
  'member',
  'membership',
  'orders',
  'points',
  'wallet',
  'custom',
  'code',
  'shop',
  'history',
  'signins',
  'password',
  'secondFactor',
  'letters',
  'introduction',
  'storage',
  'language',
  'cancel',
] as const
type Tab = (typeof tabs)[number]
/** Where things are sold: a hospital's own server has none of it. */
const ofSales: ReadonlySet<Tab> = new Set(['membership', 'orders', 'points', 'wallet', 'custom', 'shop'])

export function UserCenter() {
  const { t } = useTranslation(['account', 'common'])
  const [query] = useSearchParams()
  const signOut = useSignOut()
  const { data: setting } = useCall('setting/public', {}, { quiet: true })
  const isSelling = setting?.host === 0
  const gone = useGoneTabs(setting?.off ?? [], isSelling)
  const shown = tabs.filter((one) => (isSelling || !ofSales.has(one)) && !gone.has(one))
  const asked = query.get('tab')
  // The upgrade dialog stands on the section of membership.
  const tab = shown.find((one) => one === (asked === 'upgrade' ? 'membership' : asked)) ?? 'member'
  return (
    <Page>
      <PageHeader title={t('title')} />
      <div className={styles.columns}>
        <nav ref={useScrollHints()} className={styles.tabs} aria-label={t('title')}>
          {shown.map((one) => (
            <Link key={one} to={`?tab=${one}`} replace aria-current={one === tab ? 'page' : undefined}>
              {t(`tab.${one}`)}
            </Link>
          ))}
          <Button type="text" onClick={() => void signOut()}>
            {t('common:signOut')}
          </Button>
        </nav>
        <Panel title={t(`tab.${tab}`)}>{sections[tab]}</Panel>
      </div>
    </Page>
  )
}

/** Of modules that are switched off those go in which the member has nothing. */
function useGoneTabs(off: readonly ModuleName[], isSelling: boolean): ReadonlySet<Tab> {
  const isAsked = (name: ModuleName) => off.includes(name) && (isSelling || name === 'code')
  const tasks = useCall('customTask/list', {}, { quiet: true, enabled: isAsked('custom') })
  const uploads = useCall('codeUpload/list', {}, { quiet: true, enabled: isAsked('code') })
  const shop = useCall('shop/mine', {}, { quiet: true, enabled: isAsked('shop') })
  const gone = new Set<Tab>()
  if (isAsked('custom') && !tasks.data?.total) gone.add('custom')
  if (isAsked('code') && !uploads.data?.total) gone.add('code')
  if (isAsked('shop') && !shop.data?.listings.length) gone.add('shop')
  return gone
}

const sections: Record<Tab, ReactNode> = {
  member: <OwnData />,
  membership: <Membership />,
  orders: <Orders />,
  points: <OwnPoints />,
  wallet: <OwnWallet />,
  custom: <PrivateCustomisation />,
  code: <OwnCode />,
  shop: <OwnShop />,
  history: <AccountHistory />,
  signins: <SignIns />,
  password: <ChangePassword />,
  secondFactor: (
    <Suspense fallback={<Loading />}>
      <SecondFactor />
    </Suspense>
  ),
  letters: <Letters />,
  introduction: <ShownIntroductions />,
  storage: (
    <>
      <StorageBar />
      <UsedLimits />
    </>
  ),
  language: <Languages />,
  cancel: (
    <>
      <MoneyLeft />
      <CancelAccount />
    </>
  ),
}

function OwnData() {
  const user = session.useUser()
  const { data, error, refetch } = useCall('user/info', user === null ? {} : { userId: user.id }, {
    quiet: true,
  })
  const refresh = async () => {
    const { data: fresh } = await refetch()
    if (fresh) session.keep(fresh)
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return data ? <ProfileCard user={data} onRefresh={() => void refresh()} /> : <Loading />
}

function Languages() {
  const { t } = useTranslation('account')
  return (
    <div className={styles.language}>
      <p>{t('languageText')}</p>
      <LanguageSelect />
      <p>{t('lookText')}</p>
      <LookChoice />
    </div>
  )
}
