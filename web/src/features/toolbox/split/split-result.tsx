import { DownloadOutlined, ReloadOutlined, SaveOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { SplitPart } from '@neuroloom/contract/toolbox/calls'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from '../toolbox.module.css'
import { csvOf } from './lists.ts'

type SplitResultProps = {
  found: Answer<'toolbox/split'>
  datasetId: string
  onSave: (folderId: string, parts: readonly SplitPart[]) => void
}

/** What came into which part, and the ways to keep it. */
export function SplitResult({ found: { parts, classes, folderId }, datasetId, onSave }: SplitResultProps) {
  const { t } = useTranslation('toolbox')
  const [isSaved, setSaved] = useState(false)
  const recheck = useAction('datasets/recheck', {
    refresh: ['datasets/list', 'datasets/detail'],
    onDone: () => toast.success(t('split.looking')),
  })
  const hasClasses = parts.some((part) => part.classes.length > 0)
  return (
    <Panel title={t('split.result')}>
      <div className={styles.steps}>
        <ScrollRegion name={t('split.result')} className={styles.wide}>
          <table className={styles.parts}>
            <thead>
              <tr>
                <th scope="col">{t('split.part')}</th>
                <th scope="col">{t('split.pictures')}</th>
                <th scope="col">{t('split.groups')}</th>
                {hasClasses &&
                  classes.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <tr key={part.part}>
                  <th scope="row">{t(`split.${part.part}`)}</th>
                  <td>{formatNumber(part.names.length)}</td>
                  <td>{formatNumber(part.groups)}</td>
                  {part.classes.map((count, k) => (
                    <td key={classes[k]}>{formatNumber(count)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        <p>{t('split.together')}</p>
        {folderId === null && <Alert type="info" showIcon title={t('split.noFolder')} />}
        <div className={styles.useActions}>
          {folderId !== null && (
            <Button
              type="primary"
              icon={<SaveOutlined aria-hidden />}
              onClick={() => {
                onSave(folderId, parts)
                setSaved(true)
              }}
            >
              {t('split.save')}
            </Button>
          )}
          <Button
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => saveBlob('split.csv', new Blob([csvOf(parts)], { type: 'text/csv' }))}
          >
            {t('split.csv')}
          </Button>
          {isSaved && (
            <Button
              icon={<ReloadOutlined aria-hidden />}
              loading={recheck.isPending}
              onClick={() => recheck.mutate({ id: datasetId })}
            >
              {t('split.look')}
            </Button>
          )}
        </div>
        {isSaved && <p>{t('split.after')}</p>}
      </div>
    </Panel>
  )
}
