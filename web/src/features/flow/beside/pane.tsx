import { Alert } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Choice, pickedPlace, sightIn } from '../viewer/choice.ts'
import type { Figure } from '../viewer/draw/figure.ts'
import { keysOf, moved } from '../viewer/keys.ts'
import type { Picture } from '../viewer/numbers/asks.ts'
import { valueAt } from '../viewer/panels/probe.tsx'
import { type Place, Stage } from '../viewer/stage.tsx'
import type { Play } from '../viewer/use-play.ts'
import viewer from '../viewer/viewer.module.css'
import { centimetres } from '../viewer/words.ts'
import styles from './beside.module.css'
import type { Edit, Side } from './use-pair.ts'

type PaneProps = {
  side: Pick<Side, 'name' | 'facts'>
  choice: Choice
  picture: Picture | null
  figure: Omit<Figure, 'width' | 'height'> | null
  isFailed: boolean
  play: Play
  edit: (change: Edit) => void
  /** m/s at each sample: what is told of the place that was clicked. */
  values: Float32Array | null
  children?: ReactNode
}

/** One of the pictures beside each other, and what is told of the place that was clicked. */
export function Pane({ side, choice, picture, figure, isFailed, play, edit, values, children }: PaneProps) {
  const { t } = useTranslation(['flow-beside', 'flow-view'])
  const id = useId()
  const { head } = side.facts
  const change = (patch: Partial<Choice>) => edit((last) => ({ ...last, ...patch }))
  const handlePick = (at: Place) => {
    const place = pickedPlace(head, choice, at)
    if (place) change({ place, hasCursor: true })
  }
  const handleKey = keysOf({
    ...{ head, choice, change, play },
    setFrame: (frame) => change({ frame }),
    onMove: (by) => change(moved(head, choice, by)),
    onEnter: () => handlePick(sightIn(head, choice).toShown(choice.place)),
    onEscape: () => change({ hasCursor: false }),
  })
  const value = picture && values ? valueAt(values, { head, choice, picture }) : Number.NaN
  return (
    <section className={styles.pane} aria-labelledby={id}>
      <h3 id={id}>{side.name}</h3>
      {isFailed && <Alert type="error" showIcon title={t('flow-view:failed.picture')} />}
      {figure ? (
        <Stage
          figure={figure}
          label={`${side.name}. ${t('flow-view:stage', { plane: t(`flow-view:plane.${choice.plane}`) })}`}
          isPicking={false}
          onView={(view) => change({ view })}
          onPick={handlePick}
          onKey={handleKey}
        />
      ) : (
        <div className={viewer.stage} role="status" aria-label={t('flow-view:loading.reading')} />
      )}
      {choice.hasCursor && (
        <p className={styles.value}>
          {Number.isFinite(value)
            ? t('here', { speed: t('flow-view:cms', { value: centimetres(value) }) })
            : t('hereNone')}
        </p>
      )}
      {children}
    </section>
  )
}
