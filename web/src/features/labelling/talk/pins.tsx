import { PushpinFilled } from '@ant-design/icons'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Pane } from '../canvas/pane.ts'
import type { Axis } from '../canvas/plane.ts'
import { toImage, toScreen } from '../canvas/view.ts'
import { useBench, useDesk } from '../editor/use-bench.ts'
import styles from './talk.module.css'
import type { PinnedAt, Talk } from './use-talk.ts'

/** Over a plane: where something was said, and while a place is being chosen a button as large as the plane. */
export function Pins({ axis, talk }: { axis: Axis; talk: Talk }) {
  const { t } = useTranslation('label-people')
  const bench = useBench()
  // Moves with what is seen.
  useDesk(({ views }) => views)
  const slice = useDesk(({ place }) => place[axis])
  const pane = bench.panes.find(({ plane }) => plane.axis === axis)
  if (!pane) return null
  const said = talk.comments.flatMap(({ id, at, text, isResolved, replyTo }) =>
    at && replyTo === null && !isResolved ? { id, at, text } : [],
  )
  const all = talk.at ? [...said, { id: '', at: talk.at, text: t('talk.new') }] : said
  const here = all.filter(({ at }) => at.axis === axis && at.slice === slice)
  return (
    <div className={styles.pins}>
      {here.map(({ id, at, text }) => (
        <span
          key={id}
          className={styles.pin}
          style={styleAt(pane, at)}
          title={text}
          role="img"
          aria-label={text}
        >
          <PushpinFilled aria-hidden />
        </span>
      ))}
      {talk.isPlacing && (
        <button
          type="button"
          className={styles.placing}
          aria-label={t('talk.placing')}
          onClick={(event) => talk.pin({ axis, slice, ...pressed(pane, event) })}
        />
      )}
    </div>
  )
}

function styleAt(pane: Pane, at: PinnedAt) {
  const { x, y } = toScreen(pane.view, pane.plane, at)
  return { left: x / pane.ratio, top: y / pane.ratio }
}

/** By the keyboard: the middle of what is shown. Within the image, whatever was pressed. */
function pressed({ view, plane, area, ratio }: Pane, event: MouseEvent): { x: number; y: number } {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  const screen =
    event.detail === 0
      ? { x: area.width / 2, y: area.height / 2 }
      : { x: (event.clientX - left) * ratio, y: (event.clientY - top) * ratio }
  const { x, y } = toImage(view, plane, screen)
  return { x: within(x, plane.width), y: within(y, plane.height) }
}

const within = (value: number, length: number): number =>
  Math.round(Math.min(Math.max(value, 0), length) * 10) / 10
