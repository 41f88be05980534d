import { CloudUploadOutlined } from '@ant-design/icons'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import styles from './drop-zone.module.css'
import { PickProblemDialog } from './pick-problem-dialog.tsx'
import { pickedFromDrop } from './picked-files.ts'
import { handlesOfDrop } from './picked-handles.ts'
import { useOffer } from './use-offer.ts'

const DeidentifySetting = lazyPart(
  async () => (await import('../deidentify/deidentify-setting.tsx')).DeidentifySetting,
)

type DropZoneProps = {
  parentId: string | null
  place: string
  /** Where one may only look. */
  disabled?: boolean
  children: ReactNode
}

/** Takes files and folders dragged from the desktop anywhere onto the page: beside it they would open in its place. */
export function DropZone({ parentId, place, disabled = false, children }: DropZoneProps) {
  if (disabled) return children
  return (
    <div className={styles.zone}>
      {children}
      <Drop parentId={parentId} place={place} />
    </div>
  )
}

function Drop({ parentId, place }: Pick<DropZoneProps, 'parentId' | 'place'>) {
  const { t } = useTranslation('files')
  const { offer, problem, close, pack, packProblem } = useOffer({ parentId })
  const isOver = usePageDrop(async (transfer) => {
    // Both are asked for inside the event: browsers empty the transfer right after it.
    const handles = handlesOfDrop(transfer)
    offer(await pickedFromDrop(transfer), await handles)
  })
  return (
    <>
      <Suspense>
        <DeidentifySetting />
      </Suspense>
      {isOver && (
        <div className={styles.hint} aria-hidden>
          <CloudUploadOutlined aria-hidden />
          {t('drop', { name: place })}
        </div>
      )}
      <PickProblemDialog problem={problem} onClose={close} onPack={pack} packProblem={packProblem} />
    </>
  )
}

/** Whether files from the desktop hover over the page; `onDrop` gets them wherever they are let go. */
function usePageDrop(onDrop: (transfer: DataTransfer) => Promise<void>): boolean {
  // Entering a child leaves its parent; only the sum tells whether something still hovers.
  const [depth, setDepth] = useState(0)
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  }, [onDrop])
  useEffect(() => {
    const handle = (event: DragEvent) => {
      const transfer = event.dataTransfer
      if (!transfer?.types.includes('Files')) return
      if (event.type === 'dragenter') setDepth((now) => now + 1)
      if (event.type === 'dragleave') setDepth((now) => Math.max(0, now - 1))
      if (event.type === 'dragover' || event.type === 'drop') event.preventDefault()
      if (event.type !== 'drop') return
      setDepth(0)
      void latest.current(transfer)
    }
    for (const kind of kinds) document.addEventListener(kind, handle)
    return () => {
      setDepth(0)
      for (const kind of kinds) document.removeEventListener(kind, handle)
    }
  }, [])
  return depth > 0
}

const kinds = ['dragenter', 'dragleave', 'dragover', 'drop'] as const
