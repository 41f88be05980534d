import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { ReasonText } from '../reason.tsx'
import shared from '../recipes.module.css'
import styles from './algebra.module.css'
import type { ChosenFolder } from './chosen.ts'
import { csvOf, type Line, linesOf, millilitres } from './lines.ts'
import { useMeasures } from './use-measures.ts'

/** Lines that anybody reads; the table to take along holds all. */
const MOST = 300
const columns = ['mask', 'class', 'count', 'volume', 'pieces', 'box'] as const

/** Areas and volumes of every class of every mask, on the page and as a table to take along. */
export function Measures({
  folders,
  onMeasured,
}: {
  folders: readonly ChosenFolder[]
  onMeasured: () => void
}) {
  const { t } = useTranslation('algebra')
  const [round, setRound] = useState(0)
  const { masks, total, isWhole, error } = useMeasures(folders, round)
  const lines = linesOf(masks)
  const save = () => saveBlob('volumes.csv', new Blob(['\ufeff', csvOf(masks)], { type: 'text/csv' }))
  const begin = () => {
    setRound(round + 1)
    onMeasured()
  }
  return (
    <Panel title={t('measure.title')}>
      <div className={styles.stack}>
        <p className={shared.soft}>{t('measure.text')}</p>
        <div className={styles.buttons}>
          <Button type={round === 0 ? 'primary' : 'default'} onClick={begin}>
            {t(round === 0 ? 'measure.start' : 'measure.again')}
          </Button>
          {isWhole && (
            <Button type="primary" icon={<DownloadOutlined aria-hidden />} onClick={save}>
              {t('measure.save')}
            </Button>
          )}
        </div>
        {error !== null && <Alert type="error" showIcon title={<RefusalText error={error} />} />}
        {round > 0 && !isWhole && error === null && (
          <Progress
            percent={Math.floor((100 * masks.length) / Math.max(1, total))}
            status="active"
            aria-label={t('measure.progress')}
          />
        )}
        {lines.length > 0 && <Table lines={lines} isOfSeveral={folders.length > 1} />}
      </div>
    </Panel>
  )
}

function Table({ lines, isOfSeveral }: { lines: readonly Line[]; isOfSeveral: boolean }) {
  const { t } = useTranslation('algebra')
  const more = lines.length - MOST
  return (
    <>
      <ScrollRegion name={t('measure.title')} className={styles.wide}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((key) => (
                <th key={key} scope="col">
                  {t(`measure.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, MOST).map(({ mask, row }) => (
              <tr key={`${mask.folder} ${mask.path} ${row?.value}`}>
                <th scope="row">{isOfSeveral ? `${mask.folder} / ${mask.path}` : mask.path}</th>
                {row ? (
                  <Cells row={row} />
                ) : (
                  <td colSpan={columns.length - 1}>
                    {mask.reason ? <ReasonText reason={mask.reason} /> : t('measure.empty')}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {more > 0 && (
        <p className={shared.soft}>{t('measure.more', { count: more, shown: formatNumber(more) })}</p>
      )}
    </>
  )
}

function Cells({ row: { value, count, size, pieces, box } }: { row: NonNullable<Line['row']> }) {
  return (
    <>
      <td>{value}</td>
      <td>{formatNumber(count)}</td>
      <td>{size === null ? '–' : `${formatNumber(millilitres(size))} ml`}</td>
      <td>{formatNumber(pieces)}</td>
      <td>{box.map(([first, last]) => `${first}–${last}`).join(' × ')}</td>
    </>
  )
}
