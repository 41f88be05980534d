import { QueryClientProvider } from '@tanstack/react-query'
import { App as AntdApp, ConfigProvider } from 'antd'
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { Introduction } from '../features/introductions/introduction.tsx'
import type { IntroducedModule } from '../features/introductions/modules.ts'
import { rememberTab } from '../lib/last-tab.ts'
import { makeQueryClient } from '../lib/query.ts'
import { forgetPageChoices, isEmbedded, useUser } from '../lib/session.ts'
import { offerUpgrade } from '../lib/upgrade.ts'
import { useIsDark } from '../ui/hooks/use-look.ts'
import { useMedia } from '../ui/hooks/use-media.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { upgradeAddress, useCanUpgrade } from '../ui/limits/use-can-upgrade.ts'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { makeTheme } from '../ui/theme.ts'
import { KeptOutlet } from './kept-outlet.tsx'
import { TopBar } from './top-bar.tsx'
import { useAntdLocale } from './use-antd-locale.ts'
import { useStrayDrops } from './use-stray-drops.ts'
import styles from './workspace-layout.module.css'

/** Nothing to see of it before the first upload, so the page need not wait for it. */
const UploadPanel = lazyPart(
  async () => (await import('../features/files/upload/upload-panel.tsx')).UploadPanel,
)

const AnnouncementBanner = lazyPart(
  async () => (await import('../features/operations/announcement-banner.tsx')).AnnouncementBanner,
)

const RunNews = lazyPart(async () => (await import('../features/runs/run-news.tsx')).RunNews)

/** Where a module greets. */
const introducedAt: ReadonlyMap<string, IntroducedModule> = new Map([
  ['/projectHome', 'project'],
  ['/cloudHome', 'cloud'],
  ['/toolboxHome', 'toolbox'],
])

/** Two Chinese characters stay one word, for eyes and for screen readers. */
const button = { autoInsertSpace: false }

/** Everything behind sign-in: antd in our theme, server data, the top bar and the page below it. */
export function WorkspaceLayout() {
  const [queries] = useState(makeQueryClient)
  const locale = useAntdLocale()
  const { pathname, search } = useLocation()
  const user = useUser()
  const isDark = useIsDark()
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const theme = useMemo(() => makeTheme({ isDark, hasMotion: !isStill }), [isDark, isStill])
  const introduced = introducedAt.get(pathname)
  const shown = useRef(pathname)
  // Before the effects of the new page.
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    forgetPageChoices()
  }, [pathname])
  useEffect(() => rememberTab({ pathname, search }), [pathname, search])
  useStrayDrops()

  return (
    <QueryClientProvider client={queries}>
      <ConfigProvider theme={theme} button={button} locale={locale}>
        <AntdApp component={false}>
          <UpgradeWay />
          <TopBar />
          <LinkBanner />
          {user && (
            <Suspense fallback={null}>
              <AnnouncementBanner />
            </Suspense>
          )}
          <main className={styles.main} id="content">
            <Suspense
              fallback={
                <Page>
                  <Loading shape="page" />
                </Page>
              }
            >
              {introduced && <Introduction module={introduced} />}
              <KeptOutlet />
            </Suspense>
          </main>
          {user && (
            <Suspense fallback={null}>
              <UploadPanel />
              <RunNews userId={user.id} />
            </Suspense>
          )}
        </AntdApp>
      </ConfigProvider>
    </QueryClientProvider>
  )
}

/** Messages over the page lie outside of all links. */
function UpgradeWay() {
  const canUpgrade = useCanUpgrade()
  const navigate = useNavigate()
  useEffect(() => {
    if (!canUpgrade) return
    return offerUpgrade(() => void navigate(upgradeAddress))
  }, [canUpgrade, navigate])
  return null
}

/** Whoever was signed in by a link sees as whom. */
function LinkBanner() {
  const { t } = useTranslation('workspace')
  const user = useUser()
  if (user === null || !isEmbedded()) return null
  return (
    <p className={styles.banner} role="status">
      {t('bar.byLink', { name: user.nickName })}
    </p>
  )
}
