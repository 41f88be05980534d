import type { NetworkVersion } from '@neuroloom/contract/networks'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../../lib/api.ts'
import { formatDate, formatNumber } from '../../../../lib/format.ts'
import { toast } from '../../../../lib/toast.ts'
import { stepOf } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { Differences } from './differences.tsx'
import styles from './versions.module.css'

type Props = { version: NetworkVersion; isCompared: boolean; onCompare: () => void }

/** One kept state: what it was, what has changed since, the way back. */
export function VersionCard({ version, isCompared, onCompare }: Props) {
  const { t } = useTranslation('dripe-panels')
  const { number, note, parameters, runs, createdAt } = version
  return (
    <li className={styles.card} data-open={isCompared}>
      <div className={styles.head}>
        <strong>{t('versions.number', { number })}</strong>
        <time dateTime={createdAt} title={formatDate(createdAt)}>
          {formatDate(createdAt, 'relative')}
        </time>
      </div>
      {note === '' ? null : <p className={styles.note}>{note}</p>}
      <p className={styles.figures}>
        {parameters === null
          ? t('versions.mistakes')
          : t('versions.parameters', { count: parameters, value: formatNumber(parameters, 0) })}
        {runs === 0 ? null : <> · {t('versions.runs', { count: runs })}</>}
      </p>
      <div className={styles.actions}>
        <Button size="small" aria-expanded={isCompared} onClick={onCompare}>
          {isCompared ? t('versions.close') : t('versions.compare')}
        </Button>
        <Restore number={number} />
      </div>
      {isCompared ? <Differences number={number} /> : null}
    </li>
  )
}

function Restore({ number }: { number: number }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const id = useEditor(({ file }) => file.id)
  const restore = async () => {
    try {
      const version = await call('networks/version', { id, number })
      const { replace, vocabulary } = store.getState()
      replace(stepOf(version, vocabulary))
      toast.success(t('versions.restored', { number }))
    } catch {
      // The call has told why.
    }
  }
  return (
    <Popconfirm
      title={t('versions.restoreTitle', { number })}
      description={t('versions.restoreText')}
      okText={t('versions.restore')}
      onConfirm={restore}
    >
      <Button size="small">{t('versions.restore')}</Button>
    </Popconfirm>
  )
}
