import type { FlowMeasuredSection } from '@neuroloom/contract/flow/run'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './run.module.css'

/** Net volume of one plane over that of another: Qp/Qs where a person chooses the right ones. */
export function PlaneRatio({ sections }: { sections: readonly FlowMeasuredSection[] }) {
  const { t } = useTranslation('flow-run')
  const [over, setOver] = useState(0)
  const [under, setUnder] = useState(1)
  const [first, second] = [netOf(sections[over]), netOf(sections[under])]
  const ratio = first === null || second === null || second === 0 ? null : first / second
  const options = sections.map(({ name }, index) => ({ value: index, label: name }))
  return (
    <section className={styles.ratio} aria-label={t('planes.ratio')}>
      <h3 className={styles.heading}>{t('planes.ratio')}</h3>
      <p className={styles.soft}>{t('planes.ratioLead')}</p>
      <div className={styles.sides}>
        <Side label={t('planes.over')} value={over} options={options} onChange={setOver} />
        <span aria-hidden="true">÷</span>
        <Side label={t('planes.under')} value={under} options={options} onChange={setUnder} />
        <output>{ratio === null ? t('planes.ratioNone') : `= ${formatNumber(ratio, 2)}`}</output>
      </div>
    </section>
  )
}

const netOf = (section: FlowMeasuredSection | undefined): number | null => section?.numbers?.net ?? null

type SideProps = {
  label: string
  value: number
  options: { value: number; label: string }[]
  onChange: (index: number) => void
}

function Side({ label, value, options, onChange }: SideProps) {
  const id = useId()
  return (
    <span className={styles.side}>
      <label htmlFor={id}>{label}</label>
      <Select id={id} value={value} options={options} onChange={onChange} popupMatchSelectWidth={false} />
    </span>
  )
}
