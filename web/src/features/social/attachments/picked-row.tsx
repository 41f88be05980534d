import { CloseOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './attachments.module.css'
import { Card } from './card.tsx'
import { cardKey } from './references.ts'
import type { PickedImage, Picked as PickedThings } from './use-picked.ts'

/** What goes with what is being written. */
export function PickedRow({ picked }: { picked: PickedThings }) {
  const { images, cards } = picked
  return (
    <>
      {images.length > 0 && <PickedPictures picked={picked} />}
      {cards.length > 0 && <PickedCards picked={picked} />}
    </>
  )
}

function PickedCards({ picked: { cards, removeCard } }: { picked: PickedThings }) {
  const { t } = useTranslation('social-attachments')
  return (
    <ul className={styles.cards} aria-label={t('chosenCards')}>
      {cards.map(({ attachment, opened }) => (
        <li key={cardKey(attachment)}>
          <Card
            attachment={attachment}
            opened={opened}
            action={
              <Button
                type="text"
                size="small"
                icon={<CloseOutlined aria-hidden />}
                aria-label={t('removeCard')}
                onClick={() => removeCard(attachment)}
              />
            }
          />
        </li>
      ))}
    </ul>
  )
}

function PickedPictures({ picked }: { picked: PickedThings }) {
  const { t } = useTranslation('social-attachments')
  const { images } = picked
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

type PickedProps = { image: PickedImage; number: number; picked: PickedThings }

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
