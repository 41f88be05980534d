import { flowFormats, flowLights, flowVendorNames, phantoms } from '@neuroloom/contract/flow/named'
import { flow as limits } from '@neuroloom/contract/limits'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { ArticleTable } from './article-table.tsx'

/** Every known flow with what it shows. */
export function KnownFlows() {
  const { t } = useTranslation(['tutorial-flow', 'flow'])
  const rows = phantoms.map((name) => [t(`flow:flow.${name}.name`), t(`flow:flow.${name}.text`)])
  return <ArticleTable head={[t('table.flow'), t('table.use')]} rows={rows} />
}

/** Every kind of file that a study is made of. */
export function FlowFiles() {
  const { t } = useTranslation('flow')
  const vendors = Object.values(flowVendorNames).join(', ')
  return (
    <ul>
      {flowFormats.map((source) => (
        <li key={source}>{t(`about.${source}`, { vendors })}</li>
      ))}
    </ul>
  )
}

/** Every light of quality with what to do where it is not green, in the words of the page that shows them. */
export function FlowLights() {
  const { t } = useTranslation(['tutorial-flow', 'flow-run'])
  const rows = flowLights.map((name) => [t(`flow-run:light.${name}`), t(`flow-run:todo.${name}`)])
  return <ArticleTable head={[t('table.light'), t('table.todo')]} rows={rows} />
}

/** How much is kept with a run. */
export function FlowMost() {
  const { t } = useTranslation('tutorial-flow')
  const { sections, figures } = limits
  return <p>{t('most', { planes: formatNumber(sections), figures: formatNumber(figures) })}</p>
}
