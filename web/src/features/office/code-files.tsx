import type { CodeEntry, OfficeCode } from '@neuroloom/contract/custom/code-calls'
import { Alert, Drawer, Select } from 'antd'
import { type ComponentType, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsNarrow } from '../../ui/hooks/use-media.ts'
import { Loading } from '../../ui/loading.tsx'
import type { CodeText } from './code-text.ts'
import styles from './office.module.css'

type Props = { upload: OfficeCode; Text: ComponentType<CodeText>; onClose: () => void }

/** The files of an upload, one after the other as highlighted text. Nothing of them is executed. */
export function CodeFiles({ upload: { id, name }, Text, onClose }: Props) {
  const { t } = useTranslation(['code-office', 'code'])
  const isNarrow = useIsNarrow()
  const [wanted, setWanted] = useState<string | null>(null)
  const { data, error, refetch } = useCall('office/codeEntries', { id }, { quiet: true })
  const files = data?.entries.filter(({ isFolder }) => !isFolder) ?? []
  const entry = files.find(({ path }) => path === wanted) ?? files[0]
  return (
    <Drawer open size={isNarrow ? '100%' : 860} title={name} onClose={onClose}>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading count={4} />}
      {entry && (
        <div className={styles.details}>
          <Select
            aria-label={t('read.file')}
            showSearch={{ optionFilterProp: 'label' }}
            value={entry.path}
            onChange={setWanted}
            options={files.map(({ path, sizeBytes, findings }, index) => ({
              value: path,
              key: index,
              label: [path, formatBytes(sizeBytes), ...findings.map((one) => t(`code:finding.${one}`))].join(
                ' · ',
              ),
            }))}
          />
          <FileText key={entry.path} id={id} entry={entry} Text={Text} />
        </div>
      )}
    </Drawer>
  )
}

function FileText({ id, entry, Text }: { id: string; entry: CodeEntry; Text: ComponentType<CodeText> }) {
  const { t } = useTranslation(['code-office', 'code'])
  const { path } = entry
  const { data, error, refetch } = useCall('office/codeFile', { id, path }, { quiet: true })
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading count={4} />
  if (data.text === null) return <p className={styles.help}>{t('read.noText')}</p>
  return (
    <>
      {!data.isWhole && <Alert type="info" showIcon title={t('read.cut')} />}
      <Suspense fallback={<Loading count={4} />}>
        <Text
          value={data.text}
          label={path}
          isReadOnly
          marks={entry.lines.map(({ finding, line }) => ({
            ...{ line, column: null, endLine: line },
            severity: 'warning',
            message: t(`code:finding.${finding}`),
          }))}
        />
      </Suspense>
    </>
  )
}
