import { describeType } from '@neuroloom/contract/network/rules'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../editor/use-editor.ts'
import panel from './panel.module.css'
import type { SelectedNode } from './selected.ts'

/** What comes out of a node, and what it costs. */
export function NodeFacts({ node }: { node: SelectedNode }) {
  const { t } = useTranslation('dripe-panels')
  const type = useEditor(({ resolved }) => resolved.types.get(node.planPath))
  return (
    <section className={panel.section} aria-label={t('facts.title')}>
      <h3 className={panel.heading}>{t('facts.title')}</h3>
      <dl className={panel.facts}>
        <dt>{t('facts.shape')}</dt>
        <dd>{type === undefined ? t('facts.waiting') : describeType(type)}</dd>
      </dl>
    </section>
  )
}
