import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../../lib/format.ts'
import type { Heat } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { shortNumber } from '../../gallery-number.ts'
import panel from '../panel.module.css'
import styles from './cost.module.css'
import { CostTable } from './cost-table.tsx'
import { useCosts } from './use-costs.ts'

/** Where the parameters, the work and the memory go. */
export function CostTab() {
  const { t } = useTranslation('dripe-panels')
  const total = useCosts().get('')
  return (
    <div className={panel.panel}>
      <HeatSwitch />
      {total === undefined ? (
        <p className={panel.note}>{t('cost.nothing')}</p>
      ) : (
        <dl className={styles.totals}>
          <div>
            <dt>{t('cost.parameters')}</dt>
            <dd title={formatNumber(total.learn, 0)}>{shortNumber(total.learn)}</dd>
          </div>
          <div>
            <dt>{t('cost.macs')}</dt>
            <dd title={formatNumber(total.macs, 0)}>{shortNumber(total.macs)}</dd>
          </div>
          <div>
            <dt>{t('cost.memory')}</dt>
            <dd>{formatBytes(total.keptBytes)}</dd>
          </div>
        </dl>
      )}
      <CostTable />
      <p className={panel.note}>{t('cost.note')}</p>
    </div>
  )
}

const heats = ['off', 'parameters', 'macs', 'memory'] as const satisfies readonly Heat[]

function HeatSwitch() {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const heat = useEditor((state) => state.heat)
  return (
    <section className={panel.section}>
      <h3 className={panel.heading}>{t('cost.heat')}</h3>
      <Segmented<Heat>
        size="small"
        aria-label={t('cost.heat')}
        value={heat}
        options={heats.map((value) => ({ value, label: t(`heat.${value}`) }))}
        onChange={(value) => store.getState().show({ heat: value })}
      />
    </section>
  )
}
