import type { Recycled } from '@neuroloom/contract/files'
import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate } from '../../lib/format.ts'
import styles from '../../ui/list.module.css'
import { FilePicture } from './file-picture.tsx'

type RecycleTableProps = {
  entries: readonly Recycled[]
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

/** Deleted entries: what, from where, since when, and until when. */
export function RecycleTable({ entries, chosen, onChoose }: RecycleTableProps) {
  const { t } = useTranslation('files')
  const count = entries.filter(({ id }) => chosen.has(id)).length
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return (
    <table className={styles.list}>
      <thead>
        <tr>
          <th>
            <Checkbox
              checked={count > 0 && count === entries.length}
              indeterminate={count > 0 && count < entries.length}
              aria-label={t('selectAll')}
              onChange={({ target }) => onChoose(new Set(target.checked ? entries.map(({ id }) => id) : []))}
            />
          </th>
          <th>{t('name')}</th>
          <th className={styles.wide}>{t('size')}</th>
          <th className={styles.wide}>{t('recycle.removed')}</th>
          <th>{t('recycle.clears')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} isChosen={chosen.has(entry.id)} onToggle={toggle} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { entry: Recycled; isChosen: boolean; onToggle: (id: string) => void }

function Row({ entry, isChosen, onToggle }: RowProps) {
  const { t } = useTranslation('files')
  return (
    <tr>
      <td>
        <Checkbox
          checked={isChosen}
          aria-label={t('select', { name: entry.name })}
          onChange={() => onToggle(entry.id)}
        />
      </td>
      <td>
        <span className={styles.entry}>
          <FilePicture entry={entry} size="small" />
          <span>
            <strong>{entry.name}</strong>
            <small>{[t('title'), ...entry.place].join(' / ')}</small>
          </span>
        </span>
      </td>
      <td className={styles.wide}>{formatBytes(entry.sizeBytes)}</td>
      <td className={styles.wide}>{formatDate(entry.recycledAt, 'minute')}</td>
      <td>{entry.clearsAt === null ? t('recycle.held') : formatDate(entry.clearsAt, 'day')}</td>
    </tr>
  )
}
