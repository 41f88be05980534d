import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { Spin } from 'antd'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/page.tsx'
import styles from './study.module.css'

/** What is done at the moment; nobody has to wait for it here. */
export function UnderWay({ study, state }: { study: FlowDetail; state: 'looking' | 'making' }) {
  const { t } = useTranslation('flow')
  const way = state === 'making' ? makingOf(study) : state
  return (
    <Panel>
      <div className={styles.way} role="status">
        <Spin aria-hidden />
        <div>
          <p>{t(`way.${way}`)}</p>
          <p className={styles.soft}>{t('way.mayLeave')}</p>
        </div>
      </div>
    </Panel>
  )
}

function makingOf({ phantom, source }: FlowDetail): 'measuring' | 'sharpening' | 'making' {
  if (phantom) return 'measuring'
  return source === 'sharpened' ? 'sharpening' : 'making'
}
