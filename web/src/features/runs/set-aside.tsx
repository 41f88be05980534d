import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel } from '../../ui/page.tsx'
import styles from './set-aside.module.css'

/** The files of which a prediction says nothing, each with its reason. */
export function SetAside({ run }: { run: Run }) {
  const { t } = useTranslation('predict')
  const query = usePages('runs/setAside', { id: run.id })
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const total = query.data?.pages[0]?.total ?? 0
  if (total === 0) return null
  const files = query.data?.pages.flatMap((page) => page.setAside) ?? []
  return (
    <Panel title={t('aside.title')}>
      <p>{t('aside.lead', { count: total })}</p>
      <ul className={styles.files}>
        {files.map(({ name, reason }) => (
          <li key={`${name} ${reason}`}>
            <span>{name}</span>
            <span>{t(`reason.${reason}`)}</span>
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </Panel>
  )
}
