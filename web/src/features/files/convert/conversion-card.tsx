import type { Conversion } from '@neuroloom/contract/conversions'
import { Alert, Button, Popconfirm, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { ConversionItemRow, type Opened } from './conversion-item.tsx'
import { ConversionMark } from './conversion-mark.tsx'
import styles from './convert.module.css'
import { formatNames } from './formats.ts'

/** Of many sources so many are shown at first; those that failed come before the others. */
const shownItems = 5

type ConversionCardProps = { conversion: Conversion; isFirst: boolean; onOpen: (result: Opened) => void }

/** One conversion: how far it is, what came of each source, and what can be done about it. */
export function ConversionCard({ conversion, isFirst, onOpen }: ConversionCardProps) {
  const { t } = useTranslation('conversions')
  const [isWhole, setWhole] = useState(false)
  const { format, state, items, createdAt } = conversion
  const name = formatNames[format]
  const ordered = items
    .map((item, position) => ({ item, position }))
    .sort((one, other) => weights[one.item.state] - weights[other.item.state])
  const hidden = isWhole ? 0 : Math.max(0, ordered.length - shownItems)
  const failed = items.filter((item) => item.state === 'failed').length
  return (
    <article
      className={styles.card}
      aria-label={t('list.of', { format: name, date: formatDate(createdAt, 'minute') })}
    >
      <header className={styles.head}>
        <div>
          <h2>{t('list.name', { format: name })}</h2>
          <span className={styles.soft}>{aboutOf(conversion, t)}</span>
        </div>
        <ConversionMark state={state} />
        <Actions conversion={conversion} />
      </header>
      <Way conversion={conversion} />
      {conversion.failure && <Alert type="error" showIcon title={t(`failure.${conversion.failure}`)} />}
      {failed > 0 && items.length > 1 && state !== 'converting' && (
        <p className={styles.failed}>
          {t('list.failedItems', {
            count: failed,
            shown: formatNumber(failed),
            total: formatNumber(items.length),
          })}
        </p>
      )}
      <ul className={styles.items}>
        {ordered.slice(0, ordered.length - hidden).map(({ item, position }, index) => (
          <ConversionItemRow
            key={position}
            item={item}
            folderId={conversion.folderId}
            isOpenAtFirst={isFirst && index === 0 && item.state === 'done'}
            isAlone={items.length === 1}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <Button type="link" className={styles.more ?? ''} onClick={() => setWhole(true)}>
          {t('list.all', { count: hidden, shown: formatNumber(hidden) })}
        </Button>
      )}
    </article>
  )
}

const weights = { failed: 0, converting: 1, done: 2, cancelled: 3, waiting: 4 } as const

type Translate = ReturnType<typeof useTranslation<'conversions'>>['t']

/** When it was asked for, and with which settings that are not the usual ones. */
function aboutOf({ createdAt, format, options, items }: Conversion, t: Translate): string {
  const { joinSeries, window, depth, quality } = options
  const parts = [
    formatDate(createdAt, 'minute'),
    joinSeries || items.length === 1 ? '' : t('list.single'),
    format === 'png' && depth === 'sixteen' ? t('list.depth16') : '',
    window ? t('list.window', window) : '',
    format === 'jpeg' ? t('list.quality', { quality }) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

/** How far it is, while it is not through. */
function Way({ conversion: { state, format, through, total } }: { conversion: Conversion }) {
  const { t } = useTranslation('conversions')
  if (state === 'waiting') return <p className={styles.soft}>{t('list.waits')}</p>
  if (state !== 'converting') return null
  return (
    <div className={styles.way}>
      <Progress
        percent={total === 0 ? 0 : Math.floor((through / total) * 100)}
        showInfo={false}
        status="active"
        size="small"
        aria-label={t('list.progress', { format: formatNames[format] })}
      />
      <span>{t('list.through', { through: formatNumber(through), total: formatNumber(total) })}</span>
    </div>
  )
}

function Actions({ conversion: { id, state } }: { conversion: Conversion }) {
  const { t } = useTranslation('conversions')
  const refresh = ['files/conversions'] as const
  const retry = useAction('files/retryConversion', { refresh })
  const cancel = useAction('files/cancelConversion', { refresh })
  if (state === 'done') return null
  if (state === 'failed' || state === 'cancelled')
    return (
      <Button loading={retry.isPending} onClick={() => retry.mutate({ id })}>
        {t('list.retry')}
      </Button>
    )
  return (
    <Popconfirm
      title={t('list.cancelAsk')}
      description={t('list.cancelText')}
      okText={t('list.cancel')}
      cancelText={t('list.goOn')}
      onConfirm={() => cancel.mutate({ id })}
    >
      <Button loading={cancel.isPending}>{t('list.cancel')}</Button>
    </Popconfirm>
  )
}
