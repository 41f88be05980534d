import type { LabelReading, LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Button, Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useAction, useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { Planes } from '../editor/planes.tsx'
import { BenchProvider } from '../editor/use-bench.ts'
import type { Bench } from '../tools/bench.ts'
import { readingOf } from './addresses.ts'
import { PairLine } from './agreement.tsx'
import styles from './beside.module.css'
import { linked, type Opened, openBeside } from './open-beside.ts'

/** All readings of an image next to each other, and the choice of what shall count. */
export function Beside({ setId, itemId }: { setId: string; itemId: string }) {
  const set = useCall('labelling/detail', { id: setId }, { quiet: true })
  const readings = useCall('labelling/readings', { itemId }, { quiet: true })
  const error = set.error ?? readings.error
  const again = () => {
    void set.refetch()
    void readings.refetch()
  }
  if (error) return <ErrorState error={error} retry={again} />
  if (!set.data || !readings.data) return <Loading shape="page" />
  return <Shown key={itemId} set={set.data} itemId={itemId} readings={readings.data.readings} />
}

type ShownProps = { set: LabelSet; itemId: string; readings: readonly LabelReading[] }

function Shown({ set, itemId, readings }: ShownProps) {
  const { t } = useTranslation(['label-people', 'labelling'])
  const navigate = useNavigate()
  const { opened, error, retry } = useOpened(itemId, readings)
  const [chosen, setChosen] = useState<readonly string[]>(() => finishedOf(readings))
  const decide = useAction('labelling/adjudicate', {
    refresh: ['labelling/readings', 'labelling/items', 'labelling/detail'],
    onDone: ({ id }) => navigate(readingOf(set.id, itemId, id)),
  })
  const agreed = readings.find(({ isAgreed }) => isAgreed)
  const name = opened?.name ?? ''
  const mayDecide = set.right !== 'read' && !agreed && chosen.length > 0
  return (
    <Page>
      <PageHeader
        title={name}
        subtitle={t('beside.subtitle')}
        back={{ to: `/labelling?set=${encodeURIComponent(set.id)}`, label: set.name }}
        actions={
          <>
            {agreed && <Link to={readingOf(set.id, itemId, agreed.id)}>{t('beside.toAgreed')}</Link>}
            {mayDecide && (
              <Button
                type="primary"
                loading={decide.isPending}
                onClick={() => decide.mutate({ itemId, readingIds: [...chosen] })}
              >
                {t(chosen.length === 1 ? 'beside.takeOne' : 'beside.takeMost', { count: chosen.length })}
              </Button>
            )}
          </>
        }
      />
      <Agreeing set={set} itemId={itemId} />
      {error !== null && <ErrorState error={error} retry={retry} />}
      {error === null && !opened && <Loading shape="cards" count={2} />}
      {opened && opened.shown.length === 0 && <EmptyState title={t('beside.none')} />}
      <ul className={styles.grid}>
        {opened?.shown.map(({ reading, bench }) => (
          <li key={reading.id} className={styles.one}>
            <span className={styles.head}>
              <Link to={readingOf(set.id, itemId, reading.id)}>
                {reading.isAgreed ? t('beside.agreed') : reading.reader || t('you')}
              </Link>
              <span>{t(`labelling:state.${reading.state}`)}</span>
            </span>
            <Tags set={set} bench={bench} />
            <div className={styles.stage}>
              <BenchProvider value={bench}>
                <Planes isBody={false} />
              </BenchProvider>
            </div>
            {set.right !== 'read' && !reading.isAgreed && !agreed && (
              <Checkbox
                checked={chosen.includes(reading.id)}
                onChange={({ target }) =>
                  setChosen([
                    ...chosen.filter((id) => id !== reading.id),
                    ...(target.checked ? [reading.id] : []),
                  ])
                }
              >
                {t('beside.counts')}
              </Checkbox>
            )}
          </li>
        ))}
      </ul>
    </Page>
  )
}

/** Those that were handed in count at first. */
const finishedOf = (readings: readonly LabelReading[]): string[] =>
  readings.filter(({ state, isAgreed }) => !isAgreed && state !== 'open').map(({ id }) => id)

function useOpened(itemId: string, readings: readonly LabelReading[]) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  // Whose they are, not how often they were fetched.
  const ids = readings.map(({ id }) => id).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens anew
  useEffect(() => {
    const stop = new AbortController()
    let end = () => {}
    setError(null)
    openBeside(itemId, readings, stop.signal).then(
      (next) => {
        if (stop.signal.aborted) return next.close()
        const unlink = linked(next.shown.map(({ bench }) => bench))
        end = () => {
          unlink()
          next.close()
        }
        setOpened(next)
      },
      (failure) => !stop.signal.aborted && setError(failure),
    )
    return () => {
      stop.abort()
      end()
      setOpened(null)
    }
  }, [itemId, ids, tries])
  return { opened, error, retry: () => setTries((count) => count + 1) }
}

/** How far they agree on this very image, where that is worked out. */
function Agreeing({ set, itemId }: { set: LabelSet; itemId: string }) {
  const isJudge = set.right !== 'read'
  const { data } = useCall('labelling/agreement', { id: set.id }, { quiet: true, enabled: isJudge })
  const image = data?.images.find((one) => one.itemId === itemId)
  return image?.pairs.map((pair) => (
    <PairLine key={`${pair.one} ${pair.other}`} pair={pair} classes={set.classes} />
  ))
}

function Tags({ set, bench }: { set: LabelSet; bench: Bench }) {
  const { t } = useTranslation('label-people')
  if (!set.marks.includes('tags')) return null
  const names = bench.journal.marks.tags.flatMap((id) => bench.classOf(id)?.name ?? [])
  return <span>{names.length === 0 ? t('beside.noTags') : names.join(', ')}</span>
}
