import { Select, Slider } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import styles from './evidence.module.css'

type Props = {
  classes: readonly string[]
  classNameOf: (name: string) => string
  chosen: string
  onChoose: (name: string) => void
  threshold: number
  onMove: (threshold: number) => void
  /** What the threshold means where it stands. */
  label: string
}

/** Which class is looked at, and from which probability on it counts. */
export function ThresholdChoice({ classes, classNameOf, chosen, onChoose, threshold, onMove, label }: Props) {
  const { t } = useTranslation('evidence')
  const id = useId()
  return (
    <div className={styles.chooser}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is inside */}
      <label className={styles.field}>
        <span>{t('threshold.class')}</span>
        <Select
          value={chosen}
          onChange={onChoose}
          options={classes.map((one) => ({ value: one, label: classNameOf(one) }))}
          popupMatchSelectWidth={false}
        />
      </label>
      <div className={styles.field}>
        <span id={id}>{label}</span>
        <Slider
          min={0}
          max={100}
          value={Math.round(threshold * 1000) / 10}
          onChange={(value) => onMove(value / 100)}
          tooltip={{ formatter: (value) => formatPercent((value ?? 0) / 100, 0) }}
          ariaLabelledByForHandle={id}
        />
      </div>
    </div>
  )
}
