import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPercent } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { computeAddress } from '../address.ts'
import styles from './run.module.css'

type Props = { detail: FlowRunDetail; mayChange: boolean }

/** With which settings; the way to the same ones with a change. */
export function AskedPanel({ detail: { run, asked, study }, mayChange }: Props) {
  const { t } = useTranslation(['flow-run', 'flow-project', 'flow-options'])
  const { corrections, mask, kinds, settings, fitOrder } = asked
  const facts = {
    offset: t(`flow-project:form.offsetOf.${corrections.offset ?? 'off'}`),
    unwrap: t(corrections.unwrap ? 'asked.on' : 'asked.off'),
    mask: maskText(),
    kinds: kinds.map((kind) => t(`flow-options:kind.${kind}`)).join(', '),
    window: `${settings.vorticityCalculationWindow} · ${t(`flow-options:fitOrder.${fitOrder}`)}`,
  }
  function maskText(): string {
    if (mask.kind === 'file') return t('flow-project:form.maskOf.file')
    if (mask.level === null) return t('flow-project:form.maskOf.automatic')
    return `${t('flow-project:form.maskOf.level')}, ${formatPercent(mask.level, 1)}`
  }
  const change = { projectId: run.projectId, studyId: study.id ?? '', runId: run.id }
  return (
    <Panel
      title={t('asked.title')}
      extra={
        mayChange && study.id !== null ? <Link to={computeAddress(change)}>{t('asked.change')}</Link> : null
      }
    >
      <dl className={styles.asked}>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{t(`asked.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
