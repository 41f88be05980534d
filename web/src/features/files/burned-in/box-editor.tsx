import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { TextPicture, TextRegion } from '@neuroloom/contract/burned-in'
import { Button, Modal, Slider } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { BoxCanvas } from './box-canvas.tsx'
import { added, type Size, SURE } from './boxes.ts'
import styles from './texts.module.css'

type BoxEditorProps = {
  scanId: string
  picture: TextPicture
  size: Size
  onClose: () => void
  /** To the next that is not confirmed, if there is one. */
  onNext: () => void
}

/** One picture large: boxes are moved, sized, drawn and taken away by mouse, finger and keys; then it is confirmed. */
export function BoxEditor({ scanId, picture, size, onClose, onNext }: BoxEditorProps) {
  const { t } = useTranslation(['texts', 'common'])
  const [boxes, setBoxes] = useState<readonly TextRegion[]>(picture.regions)
  const [frame, setFrame] = useState(picture.regions[0]?.first ?? 0)
  const canvas = useRef<HTMLDivElement>(null)
  const save = useAction('files/confirmTexts', {
    refresh: ['files/textPictures', 'files/textScans'],
    onDone: (_, { isConfirmed }) => (isConfirmed ? onNext() : onClose()),
  })
  const keep = (isConfirmed: boolean) =>
    save.mutate({ id: scanId, position: picture.position, regions: [...boxes], isConfirmed })
  const focus = (index: number) =>
    setTimeout(() => canvas.current?.querySelector<HTMLElement>(`[data-box="${index}"]`)?.focus())
  const add = () => {
    setBoxes([...boxes, added(size)])
    focus(boxes.length)
  }
  const remove = (index: number) => setBoxes(boxes.filter((_, at) => at !== index))
  return (
    <Modal
      open
      centered
      width={1200}
      title={<span className={styles.title}>{picture.sourceName}</span>}
      onCancel={onClose}
      footer={
        <>
          <Button icon={<PlusOutlined aria-hidden />} onClick={add}>
            {t('add')}
          </Button>
          {picture.isConfirmed && (
            <Button loading={save.isPending} onClick={() => keep(false)}>
              {t('unconfirm')}
            </Button>
          )}
          <Button type="primary" loading={save.isPending} onClick={() => keep(true)}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <div>
          <div ref={canvas}>
            <BoxCanvas
              picture={picture}
              size={size}
              frame={frame}
              boxes={boxes}
              onChange={setBoxes}
              onRemove={remove}
            />
          </div>
          {size.frames > 1 && (
            <>
              <Slider
                min={0}
                max={size.frames - 1}
                value={frame}
                onChange={setFrame}
                ariaLabelForHandle={t('frame')}
                tooltip={{ formatter: (value = 0) => formatNumber(value + 1) }}
              />
              <p className={styles.soft}>
                {t('frameOf', { shown: formatNumber(frame + 1), total: formatNumber(size.frames) })}
              </p>
            </>
          )}
          <p className={styles.soft}>{t('how')}</p>
        </div>
        <ul className={styles.texts} aria-label={t('list')}>
          {boxes.length === 0 && <li className={styles.soft}>{t('none')}</li>}
          {boxes.map((box, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no name; none is sorted
            <li key={index}>
              <button
                type="button"
                className={styles.read}
                onClick={() => {
                  if (frame < box.first || frame > box.last) setFrame(box.first)
                  focus(index)
                }}
              >
                <span>{textOf(box, t)}</span>
                {box.sureness < SURE && <small className={styles.unsure}>{t('isUnsure')}</small>}
              </button>
              <Button
                type="text"
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t('remove', { number: index + 1 })}
                onClick={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}

function textOf({ text, isDrawn }: TextRegion, t: ReturnType<typeof useTranslation<['texts']>>['t']): string {
  if (text !== '') return text
  return isDrawn ? t('isDrawn') : t('unread')
}
