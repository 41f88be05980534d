import type { DatasetItem, Double } from '@neuroloom/contract/datasets'
import { Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { ItemPicture } from '../item-picture.tsx'
import styles from './doubles.module.css'

/** Pairs side by side, those that ask for a decision first. */
export function DoublesList({ datasetId, otherId }: { datasetId: string; otherId: string | null }) {
  const { t } = useTranslation(['doubles', 'datasets'])
  const query = usePages('datasets/doubles', { id: datasetId, other: otherId })
  const pairs = query.data?.pages.flatMap((page) => page.doubles) ?? []
  if (query.isPending) return <Loading shape="cards" count={4} />
  if (query.isError && pairs.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (pairs.length === 0) return <EmptyState title={t('none')} />
  return (
    <>
      <ul className={styles.pairs}>
        {pairs.map((pair) => (
          <Pair key={`${pair.first.id} ${pair.second.id}`} pair={pair} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t('datasets:more')}
          </Button>
        </div>
      )}
    </>
  )
}

function Pair({ pair: { first, second, kind, distance } }: { pair: Double }) {
  const { t } = useTranslation('doubles')
  return (
    <li>
      <div className={styles.two}>
        {[first, second].map((item) => (
          <Half key={item.id} item={item} />
        ))}
      </div>
      <p className={styles.what}>
        {kind === 'crossing' && <Tag color="orange">{t('kind.crossing')}</Tag>}
        {kind === 'loose' && <Tag color="orange">{t('kind.loose')}</Tag>}
        <small>{t(distance === 0 ? 'same' : 'alike')}</small>
      </p>
    </li>
  )
}

/** The whole path: names repeat between folders, and the folder is often what tells the copies apart. */
function Half({ item }: { item: DatasetItem }) {
  const { t } = useTranslation('datasets')
  return (
    <div className={styles.half}>
      <ItemPicture item={item} task={null} showsMarks={false} />
      <span>{item.name}</span>
      {item.part && <small>{t(`given.${item.part}`)}</small>}
    </div>
  )
}
