import type { ExportedFacts } from '@neuroloom/contract/exported'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cssColour } from '../../lib/class-colours.ts'
import { Button } from '../../ui/button.tsx'
import { Canvas } from './canvas.tsx'
import type { Answer } from './network.ts'
import { percent } from './numbers.ts'
import { maskOf, paintAreas, pngOf, sharesOf } from './paint.ts'
import { nameFor, save } from './save.ts'
import type { Shown } from './shown.ts'
import styles from './try.module.css'

type Props = {
  answer: Extract<Answer, { kind: 'areas' }>
  shown: Shown
  classes: readonly string[]
  name: string
  facts: ExportedFacts
}

/** The picture with each class outlined in its colour, and how much of it each class covers. */
export function AreasView({ answer, shown, classes, name, facts }: Props) {
  const { t, i18n } = useTranslation('try')
  const [isOutlined, setOutlined] = useState(true)
  const overlay = useMemo(() => paintAreas(answer), [answer])
  const shares = useMemo(() => sharesOf(answer, classes.length), [answer, classes.length])
  return (
    <div className={styles.beside}>
      <div className={styles.stack}>
        <Canvas shown={shown} label={name} />
        {isOutlined ? <Canvas shown={overlay} label={t('overlay')} isAbove /> : null}
      </div>
      <div className={styles.words}>
        <ul className={styles.legend}>
          {classes.slice(1).map((own, index) => (
            <li key={own}>
              <span className={styles.swatch} style={{ background: cssColour(index) }} aria-hidden="true" />
              <span>{own}</span>
              <span className={styles.figure}>{percent(shares[index + 1] ?? 0, i18n.language)}</span>
            </li>
          ))}
        </ul>
        <p className={styles.hint}>{t('hint.areas')}</p>
        <label className={styles.switch}>
          <input
            type="checkbox"
            checked={isOutlined}
            onChange={(event) => setOutlined(event.target.checked)}
          />
          {t('outlines')}
        </label>
        <Button
          look="quiet"
          onClick={() => save(nameFor(name, 'mask.png'), pngOf(maskOf(answer, valuesOf(facts))))}
        >
          {t('saveMask')}
        </Button>
      </div>
    </div>
  )
}

/** Of the mask: the least of the member's own values for each class, or its colour; a class without one gets its index. */
function valuesOf({ classes, maskValues }: ExportedFacts): (number | string)[] {
  const own = Object.entries(maskValues)
  return classes.map((_, index) => {
    const values = own.flatMap(([value, of]) => (of === index ? [value] : []))
    const colour = values.find((value) => value.startsWith('#'))
    if (colour !== undefined) return colour
    return values.length > 0 ? Math.min(...values.map(Number)) : index
  })
}
