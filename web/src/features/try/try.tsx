import { type DragEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AnswerView } from './answer-view.tsx'
import { PictureChoice } from './picture-choice.tsx'
import { Progress } from './progress.tsx'
import styles from './try.module.css'
import { type LoadNetwork, useTry } from './use-try.ts'

type Props = {
  /** The same function as long as it brings the same network. */
  load: LoadNetwork
  /** From the name that the network knows to the one that people read. */
  className: (name: string) => string
  /** What may help when no network came. */
  remedy?: ReactNode
}

/** Drop a picture, see what the network says of it: all in this browser. Knows no server. */
export function Try({ load, className, remedy }: Props) {
  const { t } = useTranslation('try')
  const { choose, turn, stop, ...state } = useTry(load)
  const drop = useDrop(choose)
  const isLost = state.failure !== null && state.facts === null
  return (
    <div className={styles.frame} {...drop.handlers}>
      <p className={styles.privacy}>
        <Lock /> {t('private')}
      </p>
      {isLost ? null : (
        <PictureChoice isOver={drop.isOver} hasPicture={state.shown !== null} onChoose={choose} />
      )}
      {state.facts?.recipe?.steps.length ? <p className={styles.prepared}>{t('prepared')}</p> : null}
      <Progress state={state} onStop={stop} />
      {state.failure === null ? null : (
        <div className={styles.failure} role="alert">
          <strong>{t(`failure.${state.failure}.what`)}</strong>
          <p>{t(`failure.${state.failure}.todo`)}</p>
          {isLost ? remedy : null}
        </div>
      )}
      {state.shown && state.facts ? (
        <AnswerView {...{ state, className }} facts={state.facts} shown={state.shown} onTurn={turn} />
      ) : null}
    </div>
  )
}

function useDrop(onFile: (file: File) => void) {
  // Entering a child leaves its parent; only the sum tells whether something still hovers.
  const [depth, setDepth] = useState(0)
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((now) => now + 1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((now) => Math.max(0, now - 1)),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDepth(0)
        const [file] = event.dataTransfer.files
        if (file) onFile(file)
      },
    },
  }
}

function Lock() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" fill="none" aria-hidden="true">
      <rect x="3" y="8" width="12" height="8" rx="2" stroke="currentColor" strokeWidth="1.6" />
      <path d="M6 8V5.5a3 3 0 0 1 6 0V8" stroke="currentColor" strokeWidth="1.6" />
    </svg>
  )
}
