import { CloudUploadOutlined } from '@ant-design/icons'
import { type DragEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './drop-zone.module.css'
import { PickProblemDialog } from './pick-problem-dialog.tsx'
import { pickedFromDrop } from './picked-files.ts'
import { handlesOfDrop } from './picked-handles.ts'
import { useOffer } from './use-offer.ts'

const DeidentifySetting = lazy(async () => ({
  default: (await import('./deidentify/deidentify-setting.tsx')).DeidentifySetting,
}))

type DropZoneProps = {
  parentId: string | null
  place: string
  /** Where one may only look. */
  disabled?: boolean
  children: ReactNode
}

/** Takes files and folders dragged from the desktop anywhere over its children. */
export function DropZone({ parentId, place, disabled = false, children }: DropZoneProps) {
  const { t } = useTranslation('files')
  // Entering a child leaves its parent; only the sum tells whether something still hovers.
  const [depth, setDepth] = useState(0)
  const { offer, problem, close, pack, packProblem } = useOffer({ parentId })
  const handleDrop = async (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setDepth(0)
    // Both are asked for inside the event: browsers empty the transfer right after it.
    const handles = handlesOfDrop(event.dataTransfer)
    offer(await pickedFromDrop(event.dataTransfer), await handles)
  }
  if (disabled) return children
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the upload buttons do the same by keyboard
    <div
      className={styles.zone}
      onDragEnter={(event) => hasFiles(event) && setDepth((now) => now + 1)}
      onDragLeave={(event) => hasFiles(event) && setDepth((now) => Math.max(0, now - 1))}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={handleDrop}
    >
      {children}
      <Suspense>
        <DeidentifySetting />
      </Suspense>
      {depth > 0 && (
        <div className={styles.hint} aria-hidden>
          <CloudUploadOutlined aria-hidden />
          {t('drop', { name: place })}
        </div>
      )}
      <PickProblemDialog problem={problem} onClose={close} onPack={pack} packProblem={packProblem} />
    </div>
  )
}

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
