import type { Attachment, ImageAttachment } from '@neuroloom/contract/social/attachments'
import { useTranslation } from 'react-i18next'
import { ImageRow } from '../../../ui/pictures/image-row.tsx'
import styles from './attachments.module.css'
import { Card } from './card.tsx'
import { type CardAttachment, cardKey, isCard } from './references.ts'
import { useOpened } from './use-opened.ts'

type Props = {
  attachments: readonly Attachment[]
  /** Who sent them. */
  name: string
}

/** What went with a message or a post. */
export function Attachments({ attachments, name }: Props) {
  const images = attachments.filter((one) => one.kind === 'image')
  const cards = attachments.filter(isCard)
  return (
    <>
      {images.length > 0 && <Images images={images} name={name} />}
      {cards.length > 0 && <Cards cards={cards} name={name} />}
    </>
  )
}

function Images({ images, name }: { images: readonly ImageAttachment[]; name: string }) {
  const { t } = useTranslation('social-attachments')
  const { opened, askAgain } = useOpened(images)
  return (
    <ImageRow
      goneText={t('gone')}
      images={images.map(({ id, width, height }, index) => {
        const found = opened[index]
        const urls = found?.kind === 'image' ? { preview: found.previewUrl, whole: found.url } : null
        return {
          ...{ id, width, height, label: t('enlarge', { number: index + 1, name }) },
          urls: found === undefined ? undefined : urls,
        }
      })}
      onBroken={(id) => {
        const image = images.find((one) => one.id === id)
        if (image) askAgain(image)
      }}
    />
  )
}

function Cards({ cards, name }: { cards: readonly CardAttachment[]; name: string }) {
  const { t } = useTranslation('social-attachments')
  const { opened } = useOpened(cards)
  return (
    <ul className={styles.cards} aria-label={t('cardsOf', { name })}>
      {cards.map((card, index) => (
        <li key={cardKey(card)}>
          <Card attachment={card} opened={opened[index]} />
        </li>
      ))}
    </ul>
  )
}
