import { type ReceptiveField, receptiveFields } from '@neuroloom/contract/network/resolve/receptive-field'
import { describeType } from '@neuroloom/contract/network/resolve/rules'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../../lib/format.ts'
import { useEditor } from '../../editor/use-editor.ts'
import { useCosts } from '../cost/use-costs.ts'
import panel from '../panel.module.css'
import type { SelectedNode } from './selected.ts'

/** What comes out of a node, what it costs, and how much of the picture it sees. */
export function NodeFacts({ node }: { node: SelectedNode }) {
  const { t } = useTranslation('dripe-panels')
  const type = useEditor(({ resolved }) => resolved.types.get(node.planPath))
  const cost = useCosts().get(node.planPath)
  const field = useReceptiveField(node.planPath)
  return (
    <section className={panel.section} aria-label={t('facts.title')}>
      <h3 className={panel.heading}>{t('facts.title')}</h3>
      <dl className={panel.facts}>
        <dt>{t('facts.shape')}</dt>
        <dd>{type === undefined ? t('facts.waiting') : describeType(type)}</dd>
        {cost === undefined ? null : (
          <>
            <dt>{t('facts.parameters')}</dt>
            <dd>{formatNumber(cost.learn, 0)}</dd>
            <dt>{t('facts.macs')}</dt>
            <dd>{formatNumber(cost.macs, 0)}</dd>
            <dt>{t('facts.memory')}</dt>
            <dd>{formatBytes(cost.keptBytes)}</dd>
          </>
        )}
        {field === undefined ? null : (
          <>
            <dt>{t('facts.field')}</dt>
            <dd>
              {field === 'global'
                ? t('facts.wholePicture')
                : t('facts.fieldValue', { size: field.size.join(' × ') })}
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** Of a block, that of its last layer. */
function useReceptiveField(planPath: string): ReceptiveField | 'global' | undefined {
  const plan = useDeferredValue(useEditor(({ resolved }) => resolved.plan))
  const catalogue = useEditor(({ vocabulary }) => vocabulary.catalogue)
  const fields = useMemo(() => (plan === null ? null : receptiveFields(plan, catalogue)), [plan, catalogue])
  const last = plan?.nodes.findLast(({ id }) => id === planPath || id.startsWith(`${planPath}/`))
  return last === undefined ? undefined : fields?.get(last.id)
}
