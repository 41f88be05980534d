import { CaretDownOutlined, CaretUpOutlined, TeamOutlined } from '@ant-design/icons'
import type { Entry, Sort } from '@neuroloom/contract/files'
import { Checkbox } from 'antd'
import { memo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber } from '../../../lib/format.ts'
import { FilePicture } from '../file-picture.tsx'
import { nameOf } from '../series-files.ts'
import { useEntryDrag } from './entry-drag.ts'
import { EntryMenu } from './entry-menu.tsx'
import { EntryName } from './entry-name.tsx'
import styles from './folder-table.module.css'
import { useWindowRows } from './use-window-rows.ts'
import type { ViewProps } from './view-props.ts'

const ROW_HEIGHT = 57

/** A folder's content in rows: name, size, when and by whom. Only rows near the window are drawn. */
export function FolderTable(view: ViewProps) {
  const { t } = useTranslation('files')
  const { entries, total, selection } = view
  const list = useRef<HTMLTableSectionElement>(null)
  const rows = useWindowRows({ list, count: entries.length, rowHeight: ROW_HEIGHT, onEnd: view.onEnd })
  const count = selection.selected.length
  return (
    <table className={styles.table} aria-label={view.name} aria-rowcount={total + 1}>
      <thead>
        <tr className={styles.head} aria-rowindex={1}>
          <th>
            <Checkbox
              checked={count > 0 && count === entries.length}
              indeterminate={count > 0 && count < entries.length}
              aria-label={t('selectAll')}
              onChange={({ target }) => (target.checked ? selection.all() : selection.clear())}
            />
          </th>
          <Heading view={view} sort="name" label={t('name')} />
          <Heading view={view} sort="size" label={t('size')} />
          <Heading view={view} sort="modified" label={t('modified')} />
          <th>{t('modifiedBy')}</th>
          <th>
            <span className="nl-hidden">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody ref={list} className={styles.rows} style={{ height: rows.height }}>
        {rows.drawn.map(({ index, start }) => {
          const entry = entries[index]
          if (!entry) return null
          const top = start - rows.scrollMargin
          return <Row key={entry.id} {...{ entry, index, top, view }} measure={rows.measureElement} />
        })}
      </tbody>
    </table>
  )
}

/** Orders by this column; once more turns the order round. */
function Heading({ view, sort, label }: { view: ViewProps; sort: Sort; label: string }) {
  const { order, onOrder } = view
  const isOn = order.sort === sort
  const Icon = order.descending ? CaretDownOutlined : CaretUpOutlined
  return (
    <th aria-sort={isOn ? (order.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onOrder({ sort, descending: isOn && !order.descending })}>
        {label}
        {isOn && <Icon aria-hidden />}
      </button>
    </th>
  )
}

type RowProps = {
  entry: Entry
  index: number
  top: number
  view: ViewProps
  measure: (element: HTMLElement | null) => void
}

/** Drawn once while it is near the window: scrolling draws only the rows that come in. */
const Row = memo(function Row({ entry, index, top, view, measure }: RowProps) {
  const { t } = useTranslation('files')
  const { selection } = view
  const drag = useEntryDrag(entry, view)
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={styles.row}
      data-selected={selection.has(entry.id)}
      style={{ transform: `translateY(${top}px)` }}
      {...drag}
    >
      <td>
        <Checkbox
          checked={selection.has(entry.id)}
          aria-label={t('select', { name: nameOf(entry) })}
          onChange={({ nativeEvent }) => selection.toggle(entry.id, isShift(nativeEvent))}
        />
      </td>
      <td className={styles.name}>
        <FilePicture entry={entry} size="small" />
        <span>
          <EntryName entry={entry} view={view} />
          <small className={styles.narrowFacts}>{sizeOf(entry, t)}</small>
        </span>
        {entry.shared && <TeamOutlined className={styles.shared} title={t('isShared')} />}
      </td>
      <td>{sizeOf(entry, t)}</td>
      <td>{formatDate(entry.modifiedAt, 'minute')}</td>
      <td title={entry.modifiedBy}>{entry.modifiedBy}</td>
      <td>
        <EntryMenu entry={entry} view={view} />
      </td>
    </tr>
  )
})

const isShift = (event: Event): boolean => event instanceof MouseEvent && event.shiftKey

function sizeOf(
  { kind, sizeBytes, fileCount, series }: Entry,
  t: ReturnType<typeof useTranslation<'files'>>['t'],
): string {
  const size = formatBytes(sizeBytes)
  // The size first: what a narrow column cuts is the lesser of the two.
  if (series) return `${size} · ${t('seriesOf', { count: series.files, shown: formatNumber(series.files) })}`
  if (kind === 'file' || fileCount === 0) return size
  return `${size} · ${t('fileCount', { count: fileCount, shown: formatNumber(fileCount) })}`
}
