import { Slider } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Axis } from '../canvas/plane.ts'
import { listen } from '../tools/gestures.ts'
import styles from './editor.module.css'
import { Film } from './film.tsx'
import { useBench, useDesk } from './use-bench.ts'

type PlanesProps = {
  isBody: boolean
  /** What lies over a plane. */
  over?: (axis: Axis) => ReactNode
}

/** The image: one plane of a picture or a stack, three of a body. */
export function Planes({ isBody, over }: PlanesProps) {
  const axes: Axis[] = isBody ? [2, 1, 0] : [2]
  return (
    <div className={styles.planes} data-body={isBody}>
      {axes.map((axis) => (
        <PlaneView key={axis} axis={axis} isBody={isBody} over={over?.(axis)} />
      ))}
    </div>
  )
}

type PlaneViewProps = { axis: Axis; isBody: boolean; over: ReactNode }

function PlaneView({ axis, isBody, over }: PlaneViewProps) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const host = useRef<HTMLDivElement>(null)
  const slice = useDesk(({ place }) => place[axis])
  const tool = useDesk((desk) => desk.tool)
  useEffect(() => {
    if (!host.current) return
    const pane = bench.addPane(host.current, axis)
    const stop = listen(bench, pane)
    return () => {
      stop()
      bench.removePane(pane)
    }
  }, [bench, axis])
  const count = bench.body.size[axis]
  const name = isBody ? t(`plane.${axis}`) : t('plane.image')
  return (
    <section className={styles.plane} aria-label={name}>
      <div className={styles.ground}>
        <div
          ref={host}
          className={styles.host}
          data-plane={axis}
          data-tool={tool}
          role="application"
          aria-label={name}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: one draws on it, by keyboard too
          tabIndex={0}
        />
        {over}
      </div>
      {count > 1 && (
        <div className={styles.slices}>
          {isBody && <span>{name}</span>}
          {bench.source.rate !== undefined && <Film rate={bench.source.rate} />}
          <Slider
            min={1}
            max={count}
            value={slice + 1}
            onChange={(shown) => bench.goTo(axis, shown - 1)}
            ariaLabelForHandle={t(bench.source.rate === undefined ? 'plane.slice' : 'film.frame')}
          />
          <span>
            {slice + 1} / {count}
          </span>
        </div>
      )}
    </section>
  )
}
