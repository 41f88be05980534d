import type { Entry } from '@neuroloom/contract/files'
import { Checkbox } from 'antd'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { FilePicture } from '../file-picture.tsx'
import { nameOf } from '../series-files.ts'
import { useOpenEntry } from '../use-open-entry.ts'
import { useEntryDrag } from './entry-drag.ts'
import { EntryMenu } from './entry-menu.tsx'
import { EntryName } from './entry-name.tsx'
import styles from './folder-view.module.css'
import { useWindowRows } from './use-window-rows.ts'
import type { ViewProps } from './view-props.ts'

/** Tiles are at least so wide, or two fill a phone. */
const TILE = 176
const GAP = 16
const ROW_HEIGHT = 240

/** A folder's content as pictures. Only rows of tiles near the window are drawn. */
export function FolderGallery(view: ViewProps) {
  const list = useRef<HTMLDivElement>(null)
  const columns = useColumns(list)
  const count = Math.ceil(view.entries.length / columns)
  const rows = useWindowRows({ list, count, rowHeight: ROW_HEIGHT, onEnd: view.onEnd })
  return (
    <div ref={list} className={styles.gallery} style={{ height: rows.height }}>
      {rows.drawn.map(({ index, start }) => (
        <ul
          key={index}
          ref={rows.measureElement}
          data-index={index}
          className={styles.tiles}
          style={{
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            transform: `translateY(${start - rows.scrollMargin}px)`,
          }}
        >
          {view.entries.slice(index * columns, (index + 1) * columns).map((entry) => (
            <Tile key={entry.id} entry={entry} view={view} />
          ))}
        </ul>
      ))}
    </div>
  )
}

function useColumns(list: { current: HTMLElement | null }): number {
  const [columns, setColumns] = useState(4)
  useLayoutEffect(() => {
    if (!list.current) return
    const watcher = new ResizeObserver(([box]) => {
      const width = box?.contentRect.width ?? 0
      if (width > 0) setColumns(Math.max(2, Math.floor((width + GAP) / (TILE + GAP))))
    })
    watcher.observe(list.current)
    return () => watcher.disconnect()
  }, [list])
  return columns
}

/** Drawn once while it is near the window. */
const Tile = memo(function Tile({ entry, view }: { entry: Entry; view: ViewProps }) {
  const { t } = useTranslation('files')
  const open = useOpenEntry(view)
  const { selection } = view
  const drag = useEntryDrag(entry, view)
  return (
    <li className={styles.tile} data-selected={selection.has(entry.id)} {...drag}>
      {/* The name below is the same door for the keyboard. */}
      <button
        type="button"
        className={styles.tilePicture}
        onClick={() => open(entry)}
        tabIndex={-1}
        aria-hidden
      >
        <FilePicture entry={entry} size="large" />
      </button>
      <span className={styles.tileCheck}>
        <Checkbox
          checked={selection.has(entry.id)}
          aria-label={t('select', { name: nameOf(entry) })}
          onChange={({ nativeEvent }) =>
            selection.toggle(entry.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </span>
      <div className={styles.tileFoot}>
        <div>
          <EntryName entry={entry} view={view} />
          <small>{factsOf(entry, t)}</small>
        </div>
        <EntryMenu entry={entry} view={view} />
      </div>
    </li>
  )
})

function factsOf(
  { kind, fileCount, sizeBytes, series }: Entry,
  t: ReturnType<typeof useTranslation<'files'>>['t'],
): string {
  if (kind === 'folder') return t('fileCount', { count: fileCount, shown: formatNumber(fileCount) })
  if (!series) return formatBytes(sizeBytes)
  const { files } = series
  return `${t('seriesOf', { count: files, shown: formatNumber(files) })} · ${formatBytes(sizeBytes)}`
}
