import type { SetAside as File } from '@neuroloom/contract/predictions'
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
      {byReason(files).map(({ reason, names }) => (
        <section key={reason} className={styles.reason}>
          <h3>{t(`reason.${reason}`)}</h3>
          <ul>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </section>
      ))}
      <MoreButton query={query} />
    </Panel>
  )
}

/** A reason is read once, however many files it holds for. */
function byReason(files: readonly File[]): { reason: File['reason']; names: string[] }[] {
  const names = new Map<File['reason'], string[]>()
  for (const { name, reason } of files) names.set(reason, [...(names.get(reason) ?? []), name])
  return [...names].map(([reason, own]) => ({ reason, names: own }))
}
