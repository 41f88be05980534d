import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Canvas } from './canvas.tsx'
import { pngOf } from './paint.ts'
import { type Picture, toRgba } from './picture.ts'
import { nameFor, save } from './save.ts'
import type { Shown } from './shown.ts'
import styles from './try.module.css'

type Props = { shown: Shown; picture: Picture; name: string; text: string }

/** Before and after under one line that is drawn across. */
export function RestoredView({ shown, picture, name, text }: Props) {
  const { t } = useTranslation('try')
  const [place, setPlace] = useState(50)
  const after = useMemo(
    () => ({ width: picture.width, height: picture.height, rgba: toRgba(picture) }),
    [picture],
  )
  return (
    <div className={styles.restored}>
      <div
        className={styles.stack}
        style={{
          aspectRatio: `${after.width} / ${after.height}`,
          maxWidth: `${(75 * after.width) / after.height}dvh`,
        }}
      >
        <Canvas shown={after} label={t('restored.after')} />
        <div className={styles.before} style={{ clipPath: `inset(0 ${100 - place}% 0 0)` }}>
          <Canvas shown={shown} label={t('restored.before')} isAbove />
        </div>
        <span className={styles.line} style={{ left: `${place}%` }} aria-hidden="true" />
        <span className={`${styles.side} ${styles.left}`} aria-hidden="true">
          {t('restored.before')}
        </span>
        <span className={`${styles.side} ${styles.right}`} aria-hidden="true">
          {t('restored.after')}
        </span>
        <input
          className={styles.wipe}
          type="range"
          min={0}
          max={100}
          value={place}
          aria-label={t('restored.slider')}
          onChange={(event) => setPlace(Number(event.target.value))}
        />
      </div>
      <p className={styles.hint}>{text}</p>
      <Button onClick={() => save(nameFor(name, 'restored.png'), pngOf(picture))}>{t('savePicture')}</Button>
    </div>
  )
}
