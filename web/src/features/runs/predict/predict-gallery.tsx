import type { Answer } from '@neuroloom/contract/calls'
import { shortName } from '@neuroloom/contract/names/short-name'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import type { Item } from '../results/item-kind.ts'
import { colourContext, itemKind, shapeOf } from '../results/item-kind.ts'
import { ItemName } from '../results/item-name.tsx'
import styles from '../results/items.module.css'
import { RestoredStrip } from '../results/restored-strip.tsx'
import { PredictDialog } from './predict-dialog.tsx'
import { PredictLegend } from './predict-legend.tsx'
import { PredictWords } from './predict-words.tsx'

type Page = Answer<'runs/items'>
type Order = 'worst' | 'best'

/** Answers that people see of a card; the dialog has all. */
const shownAnswers = 3

/** Picture by picture; where the network says how sure it is, the least sure ones first. */
export function PredictGallery({ run }: { run: LearnedRun }) {
  const { t } = useTranslation(['predict', 'runs', 'results'])
  const [order, setOrder] = useState<Order>('worst')
  const [opened, setOpened] = useState<Item | null>(null)
  const query = useInfiniteQuery({
    queryKey: ['runs/items', { id: run.id, order }],
    queryFn: ({ pageParam, signal }) =>
      call('runs/items', { id: run.id, order, after: pageParam }, { quiet: true, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }: Page) => next,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const kind = itemKind[run.task]
  const isSure = kind === 'class' || kind === 'labels'
  const isOrdered = isSure || kind === 'boxes'
  return (
    <>
      <div className={styles.tools}>
        {isOrdered ? (
          <Segmented<Order>
            aria-label={t('results:items.order')}
            className={styles.order ?? ''}
            value={order}
            onChange={setOrder}
            options={[
              { value: 'worst', label: t('result.unsureFirst') },
              { value: 'best', label: t('result.sureFirst') },
            ]}
          />
        ) : null}
        {isSure ? null : <PredictLegend run={run} items={items} />}
      </div>
      {query.isPending ? <Loading shape="cards" /> : null}
      {query.isError ? <ErrorState error={query.error} retry={() => void query.refetch()} /> : null}
      <div className={styles.gallery} data-kind={kind}>
        {items.map((item) => (
          <Card key={item.id} item={item} run={run} onOpen={setOpened} />
        ))}
      </div>
      <Drawn items={items} total={query.data?.pages[0]?.total ?? 0} isSure={isSure} />
      <MoreButton query={query} />
      <PredictDialog item={opened} items={items} run={run} onOpen={setOpened} />
    </>
  )
}

/** Of very many pictures the later ones are not drawn. */
function Drawn({ items, total, isSure }: { items: readonly Item[]; total: number; isSure: boolean }) {
  const { t } = useTranslation('predict')
  const drawn = items.filter(({ overlay }) => overlay !== null).length
  if (isSure || drawn === items.length) return null
  return <p className={styles.count}>{t('result.drawn', { count: drawn, total: formatNumber(total) })}</p>
}

type CardProps = { item: Item; run: LearnedRun; onOpen: (item: Item) => void }

function Card({ item, run, onOpen }: CardProps) {
  const { t } = useTranslation(['runs', 'predict', 'results'])
  const { name, overlay, image } = item
  const source = overlay ?? image
  const isStrip = overlay !== null && itemKind[run.task] === 'restored'
  const alt = overlay ? t('predict:item.overlayAlt', { name, context: colourContext(item) }) : name
  return (
    <div className={styles.card}>
      <button
        type="button"
        className={styles.open}
        onClick={() => onOpen(item)}
        aria-label={t('results:items.enlarge', { name: shortName(name) })}
      >
        {isStrip ? (
          <RestoredStrip
            item={item}
            task={run.task}
            alt={t('predict:item.stripAlt', { name })}
            isJudged={false}
          />
        ) : (
          <span className={styles.picture} style={shapeOf(item)}>
            {source ? <img src={source} alt={alt} loading="lazy" /> : null}
          </span>
        )}
      </button>
      <span className={styles.body}>
        <ItemName name={name} />
        <PredictWords item={item} run={run} most={shownAnswers} />
      </span>
    </div>
  )
}
