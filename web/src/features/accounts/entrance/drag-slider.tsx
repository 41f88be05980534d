import type { ChallengePurpose } from '@neuroloom/contract/accounts/accounts'
import { challenge as limits } from '@neuroloom/contract/limits'
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './drag-slider.module.css'
import { type Puzzling, startPuzzling } from './proof.ts'

type State = 'waiting' | 'dragging' | 'checking' | 'passed' | 'failed'

const keyStep = 10
const handleWidth = 56

type DragSliderProps = {
  /** What the proof is good for. */
  purpose: ChallengePurpose
  /** Whose sign-in it is for, once that is known. */
  account?: string
  id?: string
  /** Why the form was not sent: shown below, until the slider has been dragged. */
  problem?: string | null
  /** Called once at the right end, while the puzzle may still be being solved; rejected, it must be dragged again. */
  onProof: (proof: Promise<string>) => void
}

/** Dragged fully right, by pointer or arrow keys, while a worker solves the server's puzzle; mount anew to reset. */
export function DragSlider({ purpose, account = '', id, problem = null, onProof }: DragSliderProps) {
  const { t } = useTranslation('accounts')
  const problemId = useId()
  const { percent, state, track, drag, press } = useDragging({ purpose, account, onProof })
  const isLocked = state === 'checking' || state === 'passed'
  const offset = `calc((100% - ${handleWidth}px) * ${percent / 100})`
  return (
    <div className={styles.slider}>
      <div
        ref={track}
        className={`${styles.track} ${styles[state]} ${problem === null ? '' : styles.missed}`}
        style={{ maxWidth: limits.sliderWidth, height: limits.sliderHeight }}
      >
        <div className={styles.fill} style={{ width: `calc(${offset} + ${handleWidth / 2}px)` }} />
        <div className={styles.text} aria-hidden="true">
          {t(`slider.${state}`)}
        </div>
        <div
          id={id}
          role="slider"
          tabIndex={0}
          className={styles.handle}
          style={{ width: handleWidth, left: offset }}
          aria-label={t('slider.label')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(percent)}
          aria-valuetext={t(`slider.${state}`)}
          aria-disabled={isLocked}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : problemId}
          onPointerDown={drag.start}
          onPointerMove={drag.move}
          onPointerUp={drag.end}
          onPointerCancel={drag.end}
          onKeyDown={press}
        >
          <HandleIcon state={state} />
        </div>
        <span className="nl-hidden" aria-live="polite">
          {isLocked || state === 'failed' ? t(`slider.${state}`) : ''}
        </span>
      </div>
      {problem !== null && (
        // No alert: the message over the page is one, and the slider has the focus.
        <p className={styles.problem} id={problemId}>
          {problem}
        </p>
      )}
    </div>
  )
}

/** The puzzle behind the slider: asked for at once, asked for anew when it has run out or failed. */
function usePuzzle({ purpose, account }: { purpose: ChallengePurpose; account: string }) {
  const puzzling = useRef<Puzzling | null>(null)
  // A slider that was mounted anew knows for whom; what is typed later is asked for after a refusal.
  const first = useRef(account)
  useEffect(() => {
    puzzling.current = startPuzzling(purpose, first.current)
  }, [purpose])
  return {
    begin: () => {
      if (!puzzling.current?.isUsable()) puzzling.current = startPuzzling(purpose, account)
      // Its failure is met at the end of the drag.
      puzzling.current.prove().catch(() => undefined)
    },
    prove: async (): Promise<string> => {
      const proof = await puzzling.current?.prove()
      if (proof === undefined) throw new Error('No puzzle was asked for')
      return proof
    },
    drop: () => {
      puzzling.current = null
    },
  }
}

function useDragging({
  onProof,
  ...whose
}: Required<Pick<DragSliderProps, 'purpose' | 'account' | 'onProof'>>) {
  const [percent, setPercent] = useState(0)
  const [state, setState] = useState<State>('waiting')
  const track = useRef<HTMLDivElement>(null)
  const grip = useRef<{ x: number; width: number } | null>(null)
  const puzzle = usePuzzle(whose)
  const isFree = state !== 'checking' && state !== 'passed'

  const begin = () => {
    puzzle.begin()
    setState('dragging')
  }
  const finish = async () => {
    setPercent(100)
    setState('checking')
    const proof = puzzle.prove()
    onProof(proof)
    try {
      await proof
      setState('passed')
    } catch (error) {
      console.error(error)
      puzzle.drop()
      setPercent(0)
      setState('failed')
    }
  }
  const moveTo = (value: number) => {
    if (value >= 100) return void finish()
    setPercent(Math.max(0, value))
  }

  const drag = {
    start: (event: PointerEvent<HTMLDivElement>) => {
      // Not laid out yet counts as full width.
      const room = (track.current?.clientWidth || limits.sliderWidth) - handleWidth
      if (!isFree || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      grip.current = { x: event.clientX, width: room }
      begin()
    },
    move: ({ clientX }: PointerEvent<HTMLDivElement>) => {
      if (grip.current && isFree) moveTo(((clientX - grip.current.x) / grip.current.width) * 100)
    },
    end: () => {
      grip.current = null
      if (state !== 'dragging') return
      setPercent(0)
      setState('waiting')
    },
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = keyTarget(event.key, percent)
    if (target === null || !isFree) return
    event.preventDefault()
    if (state !== 'dragging') begin()
    moveTo(target)
  }
  return { percent, state, track, drag, press }
}

function keyTarget(key: string, percent: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return percent + keyStep
    case 'ArrowLeft':
    case 'ArrowDown':
      return percent - keyStep
    case 'Home':
      return 0
    case 'End':
      return 100
    default:
      return null
  }
}

function HandleIcon({ state }: { state: State }) {
  if (state === 'checking') return <span className={styles.spinner} aria-hidden="true" />
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path
        d={state === 'passed' ? 'm5 10.5 3.5 3.5L15 7' : 'm5 5 5 5-5 5m5-10 5 5-5 5'}
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
