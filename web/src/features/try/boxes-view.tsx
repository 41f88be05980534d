import { SURE_BOX } from '@neuroloom/contract/decision'
import type { ExportedFacts } from '@neuroloom/contract/exported'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cssColour } from '../../lib/class-colours.ts'
import { Button } from '../../ui/button.tsx'
import type { FoundBox } from './boxes.ts'
import { Canvas } from './canvas.tsx'
import type { Answer } from './network.ts'
import { percent } from './numbers.ts'
import { nameFor, save } from './save.ts'
import type { Shown } from './shown.ts'
import styles from './try.module.css'

type Props = {
  answer: Extract<Answer, { kind: 'boxes' }>
  shown: Shown
  classes: readonly string[]
  name: string
  facts: ExportedFacts
}

/** What was found, framed; the member says how sure the network must be. */
export function BoxesView({ answer, shown, classes, name, facts }: Props) {
  const { t, i18n } = useTranslation('try')
  const id = useId()
  // The best one of the held-back pictures, as the test takes it.
  const [least, setLeast] = useState(facts.validation.threshold ?? SURE_BOX)
  const believed = useMemo(() => answer.boxes.filter(({ score }) => score >= least), [answer, least])
  const counts = classes.map((_, index) => believed.filter((box) => box.class === index).length)
  return (
    <div className={styles.beside}>
      <div className={styles.stack}>
        <Canvas shown={shown} label={name} />
        <Frames boxes={believed} classes={classes} shown={shown} />
      </div>
      <div className={styles.words}>
        <p className={styles.headline}>{t('found', { count: believed.length })}</p>
        <ul className={styles.legend}>
          {classes.map((own, index) => (
            <li key={own}>
              <span className={styles.swatch} style={{ background: cssColour(index) }} aria-hidden="true" />
              <span>{own}</span>
              <span className={styles.figure}>{counts[index]}</span>
            </li>
          ))}
        </ul>
        <label htmlFor={id} className={styles.slider}>
          <span>
            {t('threshold')} <strong>{percent(least, i18n.language)}</strong>
          </span>
          <input
            id={id}
            type="range"
            min={0.01}
            max={0.99}
            step={0.01}
            value={least}
            aria-valuetext={percent(least, i18n.language)}
            onChange={(event) => setLeast(Number(event.target.value))}
          />
        </label>
        <p className={styles.hint}>{t('hint.boxes')}</p>
        <Button
          look="quiet"
          onClick={() => save(nameFor(name, 'boxes.json'), jsonOf(believed, facts.classes))}
        >
          {t('saveBoxes')}
        </Button>
      </div>
    </div>
  )
}

/** In units of the picture's pixels, whatever size it is shown in. */
function Frames({
  boxes,
  classes,
  shown: { width, height },
}: { boxes: FoundBox[] } & Pick<Props, 'classes' | 'shown'>) {
  const { i18n } = useTranslation('try')
  const size = Math.max(width, height) / 36
  return (
    <svg className={styles.frames} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {boxes.map((box) => {
        const words = `${classes[box.class] ?? box.class} ${percent(box.score, i18n.language)}`
        // Else its words would end beyond the picture.
        const isFarRight = box.x0 > 0.7 * width
        const top = box.y0 > 1.4 * size ? box.y0 - 1.3 * size : box.y0
        return (
          <g key={`${box.class} ${box.x0} ${box.y0} ${box.x1} ${box.y1}`}>
            <rect
              {...{ x: box.x0, y: box.y0, width: box.x1 - box.x0, height: box.y1 - box.y0 }}
              stroke={cssColour(box.class)}
            />
            <text
              x={isFarRight ? box.x1 - 0.2 * size : box.x0 + 0.2 * size}
              y={top + size}
              fontSize={size}
              textAnchor={isFarRight ? 'end' : 'start'}
            >
              {words}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function jsonOf(boxes: FoundBox[], classes: readonly string[]): Blob {
  const named = boxes.map((box) => ({ ...box, class: classes[box.class] ?? String(box.class) }))
  return new Blob([`${JSON.stringify(named, null, 1)}\n`], { type: 'application/json' })
}
