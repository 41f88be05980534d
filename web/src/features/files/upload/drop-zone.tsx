import { CloudUploadOutlined } from '@ant-design/icons'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import styles from './drop-zone.module.css'
import { PickProblemDialog } from './pick-problem-dialog.tsx'
import { pickedFromDrop } from './picked-files.ts'
import { handlesOfDrop } from './picked-handles.ts'
import { useOffer } from './use-offer.ts'
import { usePageDrop } from './use-page-drop.ts'

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
