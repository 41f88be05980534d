import type { Examined } from '@neuroloom/contract/recipes/doctor'
import type { Repair } from '@neuroloom/contract/recipes/repair'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { ReasonText } from '../reason.tsx'
import styles from './doctor.module.css'

type PreviewProps = {
  pairs: readonly Examined[]
  /** Null of a pair that is left out. */
  repairsOf: (pair: Examined) => Repair[] | null
}

/** An image with its mask over it, as it is and as it would be; one pair after the other. */
export function Preview({ pairs, repairsOf }: PreviewProps) {
  const { t } = useTranslation('doctor')
  const [turn, setTurn] = useState(0)
  const pair = pairs[turn % pairs.length]
  if (!pair) return null
  const repairs = repairsOf(pair)
  return (
    <div className={styles.preview}>
      <p className={styles.soft}>
        {pair.image.path} · {pair.mask.path}
      </p>
      {repairs === null ? (
        <p>{t('leftOut')}</p>
      ) : (
        <Pictures key={pair.mask.id} pair={pair} repairs={repairs} />
      )}
      {pairs.length > 1 && <Button onClick={() => setTurn(turn + 1)}>{t('another')}</Button>}
    </div>
  )
}

function Pictures({ pair: { image, mask }, repairs }: { pair: Examined; repairs: Repair[] }) {
  const { t } = useTranslation('doctor')
  const body = { imageId: image.id, maskId: mask.id, repairs }
  const query = useCall('recipes/tryRepair', body, { quiet: true, keepPrevious: true, staleTime: 60_000 })
  if (query.isPending) return <Loading shape="rows" count={2} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { data } = query
  if (!data) return <p>{t('notShown')}</p>
  return (
    <div className={styles.pictures} aria-busy={query.isPlaceholderData}>
      <figure>
        <img src={data.before} alt={t('before', { name: mask.path })} />
        <figcaption>{t('asItIs')}</figcaption>
      </figure>
      <figure>
        {data.after !== null && <img src={data.after} alt={t('after', { name: mask.path })} />}
        <figcaption>{data.reason ? <ReasonText reason={data.reason} /> : t('asItWouldBe')}</figcaption>
      </figure>
    </div>
  )
}
