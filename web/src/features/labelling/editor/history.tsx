import { Button, Space } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { marksOf } from '../journal/opening.ts'
import { tell } from './commands.ts'
import styles from './editor.module.css'
import { useBench, useDesk } from './use-bench.ts'

/** When this image was worked on; any of these minutes is looked at first, and comes back as one step that can be undone. */
export function History({ readingId }: { readingId: string }) {
  const { t } = useTranslation('labelling')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.part}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{t('history.title')}</summary>
      {isOpen && <Minutes readingId={readingId} />}
    </details>
  )
}

function Minutes({ readingId }: { readingId: string }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const earlier = useDesk((desk) => desk.earlier)
  const [busy, setBusy] = useState<number | null>(null)
  const query = useCall('labelling/minutes', { readingId }, { quiet: true, staleTime: 0 })
  useEffect(() => () => bench.showEarlier(null, null), [bench])
  const show = async (seq: number, at: string) => {
    setBusy(seq)
    try {
      const then = await call('labelling/asOf', { readingId, seq })
      bench.showEarlier(marksOf(bench.body.size, then), seq)
      tell(bench, t('history.shown', { time: formatDate(at, 'minute') }))
    } catch {
      // The call has told why.
    } finally {
      setBusy(null)
    }
  }
  const back = () => {
    bench.showEarlier(null, null)
    tell(bench, '')
  }
  const restore = (at: string) => {
    const marks = bench.shown
    bench.showEarlier(null, null)
    const done = bench.journal.restore(marks) ? 'restored' : 'same'
    tell(bench, t(`history.${done}`, { time: formatDate(at, 'minute') }))
  }
  const minutes = query.data?.minutes ?? []
  if (query.isSuccess && minutes.length === 0) return <p className={styles.none}>{t('history.none')}</p>
  return (
    <ul className={styles.minutes} aria-busy={query.isPending}>
      {minutes.map(({ at, steps, seq }) => (
        <li key={seq}>
          <span>
            <time dateTime={at}>{formatDate(at, 'minute')}</time>
            <small>{t('history.steps', { count: steps, shown: formatNumber(steps) })}</small>
          </span>
          {earlier === seq ? (
            <Space.Compact>
              {bench.mayWrite && (
                <Button size="small" type="primary" onClick={() => restore(at)}>
                  {t('history.restore')}
                </Button>
              )}
              <Button size="small" onClick={back}>
                {t('history.back')}
              </Button>
            </Space.Compact>
          ) : (
            <Button size="small" loading={busy === seq} onClick={() => void show(seq, at)}>
              {t('history.show')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
