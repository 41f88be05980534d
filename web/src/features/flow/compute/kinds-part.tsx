import { type FlowKind, flowKinds } from '@neuroloom/contract/flow/options'
import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './compute.module.css'
import type { Problem } from './draft.ts'
import { Refusals } from './refusals.tsx'

type Props = {
  value: readonly FlowKind[]
  problems: readonly Problem[]
  onChange: (value: readonly FlowKind[]) => void
}

/** Vortex, fluid line, or both. */
export function KindsPart({ value, problems, onChange }: Props) {
  const { t } = useTranslation('flow-options')
  const toggle = (kind: FlowKind, isOn: boolean) =>
    onChange(flowKinds.filter((one) => (one === kind ? isOn : value.includes(one))))
  return (
    <>
      <div className={styles.kinds}>
        {flowKinds.map((kind) => (
          <Checkbox
            key={kind}
            className={styles.kind ?? ''}
            checked={value.includes(kind)}
            onChange={({ target }) => toggle(kind, target.checked)}
          >
            <strong>{t(`kind.${kind}`)}</strong>
            <span className={styles.soft}>{t(`kindAbout.${kind}`)}</span>
          </Checkbox>
        ))}
      </div>
      <Refusals problems={problems} field="kinds" />
    </>
  )
}
