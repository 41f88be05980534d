import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import type { LabelRound, Rounds } from '@neuroloom/contract/labelling/proposals'
import { client } from '@neuroloom/contract/limits'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../../lib/api.ts'
import { formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { Curve } from './curve.tsx'
import styles from './proposals.module.css'

const isOpen = ({ state }: LabelRound): boolean => state !== 'done' && state !== 'failed'

/** What training anew has brought, what more labels are worth, and what became of proposals. */
export function RoundsDialog({ set, onClose }: { set: LabelSet; onClose: () => void }) {
  const { t } = useTranslation('proposals')
  const query = useCall('labelling/rounds', { id: set.id }, { quiet: true, refetchInterval: client.pollMs })
  const [isSending, setIsSending] = useState(false)
  const train = async () => {
    setIsSending(true)
    await call('labelling/train', { id: set.id }).catch(() => null)
    await query.refetch()
    setIsSending(false)
  }
  return (
    <Modal open title={t('rounds.title')} footer={null} onCancel={onClose} width={720}>
      {query.isPending && <Loading shape="rows" />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && (
        <div className={styles.form}>
          <Told rounds={query.data} />
          <Button
            loading={isSending}
            disabled={query.data.fresh === 0 || query.data.rounds.some(isOpen)}
            onClick={() => void train()}
          >
            {t('rounds.now', { count: query.data.fresh })}
          </Button>
          <Shares set={set} rounds={query.data} />
        </div>
      )}
    </Modal>
  )
}

function Told({ rounds }: { rounds: Rounds }) {
  const { t } = useTranslation(['proposals', 'errors'])
  const { metric, images, expected, difference } = rounds
  if (rounds.rounds.length === 0) return <p>{t('rounds.none')}</p>
  const points = (share: number) => formatNumber(100 * share, 1)
  const told = (gain: NonNullable<Rounds['expected']>) => ({
    count: gain.more,
    ...{ gain: points(gain.gain), low: points(gain.low), high: points(gain.high), images },
  })
  const isShown = difference !== null && (difference.low > 0 || difference.high < 0)
  return (
    <>
      <ScrollRegion name={t('rounds.title')} className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('rounds.labels')}</th>
              <th scope="col">{t('rounds.order')}</th>
              <th scope="col">{t(`metric.${metric ?? 'dice'}`)}</th>
              <th scope="col">{t('rounds.state')}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.rounds.map(({ id, labels, order, score, state, failure, runId }) => (
              <tr key={id}>
                <td>{labels === null ? '–' : formatNumber(labels)}</td>
                <td>{t(`orderName.${order}`)}</td>
                <td>{score === null ? '–' : formatPercent(score, 1)}</td>
                <td>
                  {runId === null ? (
                    t(`roundState.${state}`)
                  ) : (
                    <Link to={`/run?id=${runId}`}>{t(`roundState.${state}`)}</Link>
                  )}
                  {failure && <p className={styles.soft}>{t(`errors:${failure.name}`, failure.params)}</p>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Curve rounds={rounds.rounds} title={t(`metric.${metric ?? 'dice'}`)} />
      <p>{images > 0 ? t('rounds.images', { count: images }) : t('rounds.noImages')}</p>
      <p>{expected ? t('rounds.expected', told(expected)) : t('rounds.tooLittle', { count: images })}</p>
      {difference && <p>{t(isShown ? 'rounds.difference' : 'rounds.noDifference', told(difference))}</p>}
    </>
  )
}

type Counts = { accepted: number; mended: number; refused: number }

function Shares({ set, rounds: { shares } }: { set: LabelSet; rounds: Rounds }) {
  const { t } = useTranslation('proposals')
  if (shares.classes.length === 0) return <p className={styles.soft}>{t('shares.none')}</p>
  const nameOf = (id: string) => set.classes.find((one) => one.id === id)?.name ?? id
  return (
    <ScrollRegion name={t('shares.title')} className={styles.scroll}>
      <table className={styles.table}>
        <caption>{t('shares.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('shares.of')}</th>
            <th scope="col">{t('judgement.accepted')}</th>
            <th scope="col">{t('judgement.mended')}</th>
            <th scope="col">{t('judgement.refused')}</th>
          </tr>
        </thead>
        <tbody>
          {shares.classes.map(({ class: id, ...counts }) => (
            <Row key={id} name={nameOf(id)} counts={counts} />
          ))}
          {shares.days.map(({ day, ...counts }) => (
            <Row key={day} name={formatDate(day, 'day')} counts={counts} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Row({ name, counts }: { name: string; counts: Counts }) {
  const all = counts.accepted + counts.mended + counts.refused
  const told = (count: number) => `${formatNumber(count)} · ${formatPercent(count / Math.max(1, all), 0)}`
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{told(counts.accepted)}</td>
      <td>{told(counts.mended)}</td>
      <td>{told(counts.refused)}</td>
    </tr>
  )
}
