import { Slider, Switch } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import styles from './heat-picture.module.css'

type Props = { image: string; heat: string; name: string; className: string }

const FULL = 100
const USUAL = 65

/** A picture with where the network looked laid over it, as strongly as one likes. */
export function HeatPicture({ image, heat, name, className }: Props) {
  const { t } = useTranslation('evidence')
  const [isShown, setIsShown] = useState(true)
  const [strength, setStrength] = useState(USUAL)
  const id = useId()
  return (
    <figure className={styles.figure}>
      <div className={styles.stack}>
        <div className={styles.sized}>
          <img src={image} alt={name} />
          {isShown ? (
            <img
              src={heat}
              alt={t('heat.alt', { name, class: className })}
              className={styles.heat}
              style={{ opacity: strength / FULL }}
            />
          ) : null}
        </div>
      </div>
      <figcaption className={styles.caption}>
        <div className={styles.controls}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is inside */}
          <label className={styles.switch}>
            <Switch checked={isShown} onChange={setIsShown} />
            <span>{t('heat.switch')}</span>
          </label>
          <div className={styles.strength}>
            <span id={id}>{t('heat.strength')}</span>
            <Slider
              min={10}
              max={FULL}
              step={5}
              value={strength}
              onChange={setStrength}
              disabled={!isShown}
              tooltip={{ formatter: (value) => formatPercent((value ?? 0) / FULL, 0) }}
              ariaLabelledByForHandle={id}
            />
          </div>
        </div>
        <p>{t('heat.about', { class: className })}</p>
      </figcaption>
    </figure>
  )
}
