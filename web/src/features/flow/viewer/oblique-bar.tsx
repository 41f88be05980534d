import { Select, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import type { Angles } from './numbers/sight.ts'
import type { Cut } from './sections/use-sections.ts'
import styles from './viewer.module.css'

export type Along = Pick<Cut, 'number' | 'name'> & { plane: Pick<Cut['plane'], 'centre' | 'normal'> }
type ObliqueProps = {
  angles: Angles
  onTurn: (angles: Angles) => void
  cuts: readonly Along[]
  onAlong: (cut: Along) => void
  /** What to do for planes to look along, where there are none. */
  hint?: string
}

const most: Record<keyof Angles, number> = { turn: 180, tilt: 90 }

/** How an oblique plane is turned: by two angles, or along a plane that flow is measured through. */
export function ObliqueBar({ angles, onTurn, cuts, onAlong, hint }: ObliqueProps) {
  const { t } = useTranslation('flow-view')
  return (
    <section className={styles.sliders} aria-label={t('oblique.name')}>
      {(['turn', 'tilt'] as const).map((name) => (
        <div key={name} className={styles.along}>
          <span>{t(`oblique.${name}`)}</span>
          <Slider
            min={-most[name]}
            max={most[name]}
            step={1}
            value={angles[name]}
            ariaLabelForHandle={t(`oblique.${name}`)}
            tooltip={{ formatter: (value) => `${value}°` }}
            onChange={(value) => onTurn({ ...angles, [name]: value })}
          />
          <NumberField
            size="small"
            aria-label={t(`oblique.${name}Degrees`)}
            min={-most[name]}
            max={most[name]}
            suffix="°"
            value={Math.round(10 * angles[name]) / 10}
            onChange={(value) => value !== null && onTurn({ ...angles, [name]: value })}
          />
        </div>
      ))}
      {cuts.length > 0 ? (
        <Select<number>
          aria-label={t('oblique.along')}
          placeholder={t('oblique.along')}
          value={null}
          onChange={(number) => {
            const cut = cuts.find((one) => one.number === number)
            if (cut) onAlong(cut)
          }}
          options={cuts.map((cut) => ({
            value: cut.number,
            label: cut.name ?? t('flow.plane', { number: cut.number }),
          }))}
        />
      ) : (
        <p className={styles.soft}>{hint ?? t('oblique.hint')}</p>
      )}
    </section>
  )
}
