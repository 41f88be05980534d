import type { FlowStudy } from '@neuroloom/contract/flow/study'
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { layoutOf } from '../viewer/draw/frame.ts'
import type { Angles } from '../viewer/numbers/sight.ts'
import { useSize } from '../viewer/use-size.ts'
import viewer from '../viewer/viewer.module.css'
import { boxOf } from './draw/box.ts'
import { firstAngles, type Look, turned, wholeLook, zoomedBy } from './draw/camera.ts'
import type { Scene } from './draw/scene.ts'
import { drawnOf, drawOver, paintView, placed, type Shown, type View } from './draw/view.ts'
import type { Hull } from './numbers/hull.ts'
import type { Beat, Painter } from './part.ts'
import styles from './space.module.css'
import { type SceneState, useScene } from './use-scene.ts'
import { useTurning } from './use-turning.ts'
import { ViewBar } from './view-bar.tsx'

type StageProps = {
  shown: Shown
  hull: Hull | null
  /** Counts and speeds in words. */
  about: string
  /** Becomes what draws the view into files. */
  painter: { current: Painter | null }
  beat: Beat | null
  /** True where the key was taken: moments and play. */
  onKey: (event: KeyboardEvent) => boolean
}

const KEY_DEGREES = 5
const ZOOM_STEP = 1.25

/** The volume: dragging and arrow keys turn it, the wheel and two fingers come nearer. */
export function SpaceStage({ shown, hull, about, painter, beat, onKey }: StageProps) {
  const { t } = useTranslation('flow-space')
  const [holder, over] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null)]
  const size = useSize(over)
  const { head, lines } = shown
  const box = useMemo(() => boxOf(head), [head])
  const { scene, state } = useScene(holder)
  useLayoutEffect(() => scene?.setBox(box), [scene, box])
  useLayoutEffect(() => scene?.setLines(lines), [scene, lines])
  useLayoutEffect(() => scene?.setHull(hull), [scene, hull])
  const { look, setLook, seeWhole } = useLook(head, size)
  const view: View = { ...shown, look, box }
  const { camera } = placed(view, size)
  useDrawn({ view, size, scene, over, state, painter, beat })
  const turning = useTurning({ holder, camera, setLook })

  const zoom = useCallback((by: number) => setLook((before) => zoomedBy(before, by)), [setLook])
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const turn = (degrees: number, tilt: number) =>
      setLook((before) => turned(before, { turn: degrees, tilt }))
    const acts: Record<string, () => void> = {
      ArrowLeft: () => turn(-KEY_DEGREES, 0),
      ArrowRight: () => turn(KEY_DEGREES, 0),
      ArrowUp: () => turn(0, -KEY_DEGREES),
      ArrowDown: () => turn(0, KEY_DEGREES),
      '+': () => zoom(ZOOM_STEP),
      '=': () => zoom(ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
      '0': () => seeWhole(firstAngles),
    }
    const act = acts[event.key]
    act?.()
    if (act || onKey(event)) event.preventDefault()
  }
  return (
    <>
      <div
        ref={holder}
        className={`${viewer.stage} ${styles.stage}`}
        data-space={state}
        role="application"
        aria-label={t('stage')}
        aria-description={t('keys')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is turned by keyboard
        tabIndex={0}
        onKeyDown={handleKey}
        {...turning}
      >
        <canvas ref={over} role="img" aria-label={about} />
      </div>
      <ViewBar onView={seeWhole} onZoom={zoom} />
      {(state === 'missing' || state === 'lost') && <p className={viewer.warn}>{t(`flat.${state}`)}</p>}
    </>
  )
}

/** All of the volume until somebody turns it or comes nearer; whole again at any angles. */
function useLook(head: FlowStudy, size: { width: number; height: number }) {
  const { width, height } = size
  const whole = useCallback(
    (angles: Angles) => wholeLook(head, angles, layoutOf({ width, height }, 1).image),
    [head, width, height],
  )
  // Angles alone: seen whole at them, whatever size the picture has.
  const [chosen, setChosen] = useState<Look | Angles>(firstAngles)
  const lookOf = useCallback((one: Look | Angles) => ('zoom' in one ? one : whole(one)), [whole])
  const setLook = useCallback(
    (change: (before: Look) => Look) => setChosen((before) => change(lookOf(before))),
    [lookOf],
  )
  return { look: lookOf(chosen), setLook, seeWhole: setChosen }
}

type DrawnProps = {
  view: View
  size: { width: number; height: number }
  scene: Scene | null
  state: SceneState['state']
  over: RefObject<HTMLCanvasElement | null>
  painter: StageProps['painter']
  beat: Beat | null
}

/** Nothing moved for so long. */
const STILL_MS = 250

/** Both canvases, after every change. */
function useDrawn({ view, size, scene, state, over, painter, beat }: DrawnProps): void {
  const back = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => () => clearTimeout(back.current), [])
  const draw = (fineness: number) => {
    const target = over.current
    const ctx = target?.getContext('2d')
    if (!target || !ctx || size.width === 0 || state === 'waiting') return
    const ratio = window.devicePixelRatio || 1
    const { camera } = placed(view, size)
    if (scene) {
      const { image } = camera
      Object.assign(scene.canvas.style, { width: `${image.width}px`, height: `${image.height}px` })
      scene.draw(drawnOf(view, camera, ratio * fineness))
    }
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)]
    // Another size is another canvas: slow, for every picture.
    if (target.width !== width || target.height !== height) Object.assign(target, { width, height })
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    ctx.clearRect(0, 0, size.width, size.height)
    drawOver(ctx, view, size, scene !== null)
  }
  useLayoutEffect(() => {
    draw(1)
    const fine = scene && scene.fineness > 1 ? setTimeout(() => draw(scene.fineness), STILL_MS) : undefined
    const paint: Painter['paint'] =
      ({ turn = 0, ...change }) =>
      (canvas) => {
        const isSeen = turn === 0 && Object.keys(change).length === 0
        const other = { ...view, ...change, look: turned(view.look, { turn, tilt: 0 }) }
        if (other.lines !== view.lines) scene?.setLines(other.lines)
        paintView(canvas, other, scene)
        if (other.lines !== view.lines) scene?.setLines(view.lines)
        // The scene has drawn into the file: what is on the screen comes again, of a film after its last picture.
        const again = () => draw(scene?.fineness ?? 1)
        clearTimeout(back.current)
        if (isSeen) again()
        else back.current = setTimeout(again, STILL_MS)
      }
    painter.current = { paint, angles: view.look.angles, shown: view, beat }
    return () => clearTimeout(fine)
  })
}
