import { CloseOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './attachments.module.css'
import type { PickedImage, PickedImages } from './use-picked-images.ts'

/** Images that go with what is being written. */
export function PickedRow({ picked }: { picked: PickedImages }) {
  const { t } = useTranslation('social-attachments')
  const { images } = picked
  if (images.length === 0) return null
  const reasons = [...new Set(images.map(({ reason }) => reason).filter((reason) => reason !== ''))]
  return (
    <div className={styles.picked}>
      <ul className={styles.row} aria-label={t('chosen')}>
        {images.map((image, index) => (
          <li key={image.key} className={styles.chosen} data-state={image.state}>
            <Picked image={image} number={index + 1} picked={picked} />
          </li>
        ))}
      </ul>
      {reasons.map((reason) => (
        <p key={reason} role="alert" className={styles.problem}>
          {reason}
        </p>
      ))}
      <p className={styles.hint}>{t('hint')}</p>
    </div>
  )
}

type PickedProps = { image: PickedImage; number: number; picked: PickedImages }

function Picked({ image: { key, url, state, percent }, number, picked }: PickedProps) {
  const { t } = useTranslation('social-attachments')
  return (
    <>
      <img src={url} alt={t('image', { number })} />
      {(state === 'waiting' || state === 'sending') && (
        <progress
          className={styles.progress}
          max={100}
          value={percent}
          aria-label={t('uploading', { number })}
        />
      )}
      {state === 'failed' && (
        <Button
          className={styles.retry ?? ''}
          size="small"
          shape="circle"
          icon={<ReloadOutlined aria-hidden />}
          aria-label={t('retry', { number })}
          onClick={() => picked.retry(key)}
        />
      )}
      <Button
        className={styles.remove ?? ''}
        size="small"
        shape="circle"
        icon={<CloseOutlined aria-hidden />}
        aria-label={t('remove', { number })}
        onClick={() => picked.remove(key)}
      />
    </>
  )
}
