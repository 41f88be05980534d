/**
 * What a page shows in the place of what it could not load, with another try; where the thing is gone, which no try brings
 * back, with the way to the others of its kind. Fetches nothing itself.
 */
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../lib/api.ts'
import { isOfLevel } from '../lib/upgrade.ts'
import { Button, ButtonLink } from './button.tsx'
import { lazyPart } from './lazy-part.tsx'
import styles from './states.module.css'

/** Public pages show errors too, and know nothing of levels. */
const UpgradeLink = lazyPart(async () => (await import('./limits/upgrade-link.tsx')).UpgradeLink)

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation('common')
  const list = error instanceof Error ? lists[error.name] : undefined
  return (
    <div className={styles.state} role="alert">
      <div className={`${styles.icon} ${styles.broken}`} aria-hidden="true">
        <BrokenIcon />
      </div>
      <h2 className={styles.title}>{t(list ? 'failure.missing' : 'failure.title')}</h2>
      <div className={styles.text}>{messageOf(error)}</div>
      {isOfLevel(error) && (
        <div className={styles.action}>
          <Suspense fallback={null}>
            <UpgradeLink />
          </Suspense>
        </div>
      )}
      {list && (
        <div className={styles.action}>
          <ButtonLink to={list.to}>{t(`failure.to.${list.name}`)}</ButtonLink>
        </div>
      )}
      {retry && !list && (
        <div className={styles.action}>
          <Button look="quiet" onClick={retry}>
            {t('retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

type Learned = 'projects' | 'runs' | 'networks'
type Work = 'labelSets' | 'studies' | 'toolbox'
type Market = 'shop' | 'demands' | 'cases' | 'providers'

/** By the error that says that one of them is missing. */
const lists: Partial<Record<string, { to: string; name: Learned | Work | Market }>> = {
  project_missing: { to: '/projectHome', name: 'projects' },
  dataset_missing: { to: '/projectHome', name: 'projects' },
  run_missing: { to: '/run', name: 'runs' },
  network_missing: { to: '/dripe', name: 'networks' },
  label_set_missing: { to: '/labelling', name: 'labelSets' },
  study_missing: { to: '/flow', name: 'studies' },
  own_tool_missing: { to: '/toolboxHome', name: 'toolbox' },
  listing_missing: { to: '/shopHome', name: 'shop' },
  demand_missing: { to: '/shopHome?tab=demands', name: 'demands' },
  case_missing: { to: '/shopHome?tab=cases', name: 'cases' },
  provider_missing: { to: '/shopHome?tab=providers', name: 'providers' },
}

function BrokenIcon() {
  return (
    <svg width="40" height="40" viewBox="0 0 40 40" fill="none" aria-hidden="true">
      <path
        d="M6 27h6c3 0 3.5-6 4.8-10M24 17c1 4 1.5 10 4 10h6"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
      <path d="M20 9v9M20 23.5v.5" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
