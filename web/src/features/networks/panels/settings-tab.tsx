import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useEditor } from '../editor/use-editor.ts'
import panel from './panel.module.css'

/** The settings of what is selected; with nothing selected, of the whole network. */
export function SettingsTab() {
  const { t } = useTranslation('dripe-panels')
  const name = useEditor(({ file }) => file.name)
  const plan = useEditor(({ resolved }) => resolved.plan)
  return (
    <div className={panel.panel}>
      <section className={panel.section}>
        <h3>{name}</h3>
        {plan === null ? null : (
          <dl className={panel.facts}>
            <dt>{t('cost.parameters')}</dt>
            <dd>{formatNumber(plan.learn, 0)}</dd>
            <dt>{t('cost.layers')}</dt>
            <dd>{formatNumber(plan.nodes.length, 0)}</dd>
          </dl>
        )}
      </section>
    </div>
  )
}
