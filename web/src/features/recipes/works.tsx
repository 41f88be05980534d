import type { Preparation } from '@neuroloom/contract/recipes/recipes'
import { Alert, Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useLive } from '../../lib/live.ts'
import { useAction, usePages } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Readers } from './algebra/readers.tsx'
import { ReasonText } from './reason.tsx'
import styles from './recipes.module.css'

type WorksProps = { which: 'open' | 'ended' }
const isOpen = ({ state }: Preparation): boolean => state === 'waiting' || state === 'running'

/** Own works, newest first: those under way, or those that have ended. The list follows what the server tells. */
export function Works({ which }: WorksProps) {
  const { t } = useTranslation('recipes')
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['recipes/works'] })
  const query = usePages('recipes/works', {})
  const all = query.data?.pages.flatMap((page) => page.works) ?? []
  const works = all.filter((work) => isOpen(work) === (which === 'open'))
  if (works.length === 0) return null
  return (
    <section className={styles.works} data-which={which} aria-label={t(`works.${which}`)}>
      <h2>{t(`works.${which}`)}</h2>
      {works.map((work) => (
        <WorkCard key={work.id} work={work} />
      ))}
      {which === 'ended' && <MoreButton query={query} />}
    </section>
  )
}

function WorkCard({ work }: { work: Preparation }) {
  const { t } = useTranslation('recipes')
  const { state, through, total, failed, failure, failures } = work
  return (
    <article className={styles.work} aria-label={t(`kind.${work.work.kind}`, { name: work.sourceName })}>
      <header className={styles.workHead}>
        <div>
          <h3>{t(`kind.${work.work.kind}`, { name: work.sourceName })}</h3>
          <p className={styles.soft}>{formatDate(work.createdAt, 'minute')}</p>
        </div>
        <span className={styles.state} data-state={state}>
          {t(`state.${state}`)}
        </span>
        <Actions work={work} />
      </header>
      {state === 'running' && (
        <>
          <Progress
            percent={total === 0 ? 0 : Math.floor((through / total) * 100)}
            showInfo={false}
            status="active"
            size="small"
            aria-label={t('works.progress')}
          />
          <p className={styles.soft}>
            {t('works.through', { through: formatNumber(through), total: formatNumber(total) })}
          </p>
        </>
      )}
      {failure && <Alert type="error" showIcon title={t(`failure.${failure}`)} />}
      {failed > 0 && (
        <details className={styles.failures}>
          <summary>{t('works.failed', { count: failed, shown: formatNumber(failed) })}</summary>
          <ul>
            {failures.map(({ name, reason }) => (
              <li key={name}>
                <span>{name}</span> {reason && <ReasonText reason={reason} />}
              </li>
            ))}
          </ul>
        </details>
      )}
      {work.work.kind === 'algebra' && work.readers && work.readers.length > 0 && (
        <Readers scores={work.readers} names={work.work.names ?? []} />
      )}
      {work.resultId !== null && (
        <Link to={addressOf(work)}>{t('works.result', { name: work.resultName })}</Link>
      )}
    </article>
  )
}

const addressOf = ({ resultId, resultKind }: Preparation): string =>
  resultKind === 'folder' ? `/cloudFile?id=${resultId}` : `/cloudFile?file=${resultId}`

function Actions({ work: { id, state } }: { work: Preparation }) {
  const { t } = useTranslation('recipes')
  const refresh = ['recipes/works'] as const
  const retry = useAction('recipes/retry', { refresh })
  const cancel = useAction('recipes/cancel', { refresh })
  if (state === 'done') return null
  if (state === 'failed' || state === 'cancelled')
    return (
      <Button loading={retry.isPending} onClick={() => retry.mutate({ id })}>
        {t('works.retry')}
      </Button>
    )
  return (
    <Button loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
      {t('works.cancel')}
    </Button>
  )
}
