import { DownloadOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { FoundWeights } from '@neuroloom/contract/toolbox/inspection'
import { Alert, Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../../lib/download.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from '../toolbox.module.css'
import { LayerTable } from './layer-table.tsx'
import { csvOf, rowsOf } from './table.ts'
import { warningsOf } from './warnings.ts'

type InspectorResultProps = {
  found: FoundWeights
  network: Answer<'toolbox/inspect'>['network']
  name: string
  other: string | null
}

/** Totals, warnings and the table. */
export function InspectorResult({ found, network, name, other }: InspectorResultProps) {
  const { t } = useTranslation('inspector')
  const rows = useMemo(() => rowsOf(found, network?.layers ?? null), [found, network])
  const warnings = warningsOf(found)
  const formats = [...new Set(found.tensors.map(({ format }) => format))].join(', ')
  const facts = [
    [t('total.kind'), found.kind === 'onnx' ? 'ONNX' : 'safetensors'],
    [t('total.layers'), formatNumber(rows.length)],
    [t('total.parameters'), formatNumber(found.parameters)],
    [t('total.bytes'), formatBytes(found.bytes)],
    [t('total.formats'), formats],
    ...(network ? [[t('total.macs'), formatNumber(network.macs)]] : []),
  ]
  return (
    <Panel title={name}>
      <div className={styles.steps}>
        <dl className={styles.facts}>
          {facts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {other !== null && <p>{t('comparedWith', { name: other })}</p>}
        {warnings.length === 0 && <Alert type="success" showIcon title={t('noWarning')} />}
        {warnings.map(({ name: warning, params }) => (
          <Alert
            key={`${warning} ${params.layer ?? ''}`}
            type={warning === 'same' ? 'info' : 'warning'}
            showIcon
            title={t(`warning.${warning}`, params)}
          />
        ))}
        <ScrollRegion name={t('table')} className={styles.wide}>
          <LayerTable rows={rows} isCompared={other !== null} hasCosts={network !== null} />
        </ScrollRegion>
        {found.tensorCount > found.tensors.length && (
          <p>{t('more', { shown: found.tensors.length, count: found.tensorCount })}</p>
        )}
        <p>{t('explain')}</p>
        <Button
          icon={<DownloadOutlined aria-hidden />}
          onClick={() => saveBlob('weights.csv', new Blob([csvOf(rows)], { type: 'text/csv' }))}
        >
          {t('csv')}
        </Button>
      </div>
    </Panel>
  )
}
