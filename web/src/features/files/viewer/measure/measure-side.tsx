/** Puts the list of measurements beside the image, once there is something to list. */
import type { View } from '@neuroloom/contract/viewing'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useViewPlace } from '../view-place.ts'
import { cautionsOf } from './cautions.ts'
import { MarkPanel } from './mark-panel.tsx'
import type { Mark } from './marks.ts'
import type { Measuring } from './use-measuring.ts'

type SideProps = { view: Pick<View, 'facts' | 'notes'>; measuring: Measuring; onGo: (mark: Mark) => void }

export function MeasureSide({ view, measuring, onGo }: SideProps) {
  const { t } = useTranslation('viewer')
  const { side } = useViewPlace()
  const isEmpty = measuring.rows.length === 0 && !measuring.canUndo && !measuring.canRedo
  if (side === null || isEmpty) return null
  const cautions = cautionsOf(view).map((name) => t(`caution.${name}`))
  return createPortal(
    <MarkPanel measuring={measuring} unit={view.facts?.unit ?? ''} cautions={cautions} onGo={onGo} />,
    side,
  )
}
