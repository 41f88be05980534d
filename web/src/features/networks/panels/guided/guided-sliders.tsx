import { Slider } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import styles from './guided.module.css'
import type { Dimension, Range, Sizing } from './guided-size.ts'

type Props = {
  ranges: Record<Dimension, Range | null>
  sizing: Sizing
  onChange: (sizing: Sizing) => void
}

/** How wide and how deep the network becomes; only what the template lets one choose. */
export function GuidedSliders({ ranges, sizing, onChange }: Props) {
  return (
    <div className={styles.sliders}>
      {(['width', 'depth'] as const).map((dimension) => {
        const range = ranges[dimension]
        return range === null || range.min === range.max ? null : (
          <SizeSlider
            key={dimension}
            dimension={dimension}
            range={range}
            value={sizing[dimension] ?? range.base}
            onChange={(value) => onChange({ ...sizing, [dimension]: value })}
          />
        )
      })}
    </div>
  )
}

type SliderProps = { dimension: Dimension; range: Range; value: number; onChange: (value: number) => void }

function SizeSlider({ dimension, range, value, onChange }: SliderProps) {
  const { t } = useTranslation('dripe-panels')
  const id = useId()
  const { min, max, step, base } = range
  return (
    <div className={styles.slider}>
      <span id={id} className={styles.sliderName}>
        {t(`guided.${dimension}`)}
      </span>
      <Slider
        min={min}
        max={max}
        step={step}
        value={value}
        marks={{ [base]: ' ' }}
        tooltip={{ open: false }}
        ariaLabelledByForHandle={id}
        ariaValueTextFormatterForHandle={(at) => formatNumber(at)}
        onChange={onChange}
      />
      <output className={styles.sliderValue}>{formatNumber(value)}</output>
      <span className={styles.sliderNote}>{t(`guided.${dimension}Note`)}</span>
    </div>
  )
}
