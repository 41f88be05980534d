import type { FlowLight } from '@neuroloom/contract/flow/run'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/page.tsx'
import { LightRow } from './light.tsx'
import styles from './run.module.css'

const rank = { red: 0, amber: 1, grey: 2, green: 3 } as const satisfies Record<FlowLight['colour'], number>

/** Whether the study can answer at all; what is worst stands first. */
export function TrustPanel({ lights }: { lights: readonly FlowLight[] }) {
  const { t } = useTranslation('flow-run')
  const sorted = [...lights].sort((a, b) => rank[a.colour] - rank[b.colour])
  const isAllGreen = lights.every(({ colour }) => colour === 'green')
  return (
    <Panel title={t('lights.title')}>
      <p className={styles.soft}>{t(isAllGreen ? 'lights.allGreen' : 'lights.lead')}</p>
      <ul className={styles.lights} aria-label={t('lights.title')}>
        {sorted.map((light) => (
          <LightRow key={light.name} light={light} />
        ))}
      </ul>
    </Panel>
  )
}
