import { flow as limits } from '@neuroloom/contract/limits'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { SaveDialog } from '../../../../ui/save-dialog.tsx'
import styles from '../viewer.module.css'
import { type Paint, paintedPng, type Shown } from './picture-png.ts'

type KeepProps = {
  /** To begin with. */
  caption: string
  paint: Paint
  imageClarity: number
  onKeep: (png: Blob, caption: string) => Promise<void>
  onClose: () => void
}

/** The picture for the report, with the words below it. */
export function KeepFigure({ caption: first, paint, imageClarity, onKeep, onClose }: KeepProps) {
  const { t } = useTranslation('flow-view')
  const id = useId()
  const [caption, setCaption] = useState(() => first.slice(0, limits.captionLength))
  const save = async () => {
    const png = await fittingPng(paint, imageClarity).catch(() => null)
    if (png) return onKeep(png, caption.trim())
    toast.error(t('png.failed'))
    throw new Error('no picture')
  }
  return (
    <SaveDialog
      title={t('report.title')}
      saveLabel={t('report.add')}
      isDisabled={caption.trim() === ''}
      onSave={save}
      onClose={onClose}
    >
      <div className={styles.field}>
        <label htmlFor={id}>{t('report.caption')}</label>
        <Input.TextArea
          id={id}
          rows={3}
          maxLength={limits.captionLength}
          value={caption}
          onChange={({ target }) => setCaption(target.value)}
        />
      </div>
    </SaveDialog>
  )
}

/** What stands below the picture and at its bars; the last part is the notice that reports carry themselves. */
export const captionOf = ({ foot, bars }: Pick<Shown, 'foot' | 'bars'>): string =>
  [...foot.slice(0, -1), ...bars.map(({ title, unit }) => `${title} (${unit})`)].join(' · ')

/** Reports take pictures up to a size: what is larger is drawn coarser. */
async function fittingPng(paint: Paint, imageClarity: number): Promise<Blob> {
  const png = await paintedPng(paint, imageClarity)
  return png.size <= limits.figureBytes ? png : fittingPng(paint, Math.round(imageClarity / 2))
}
