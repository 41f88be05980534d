import type { Attachment, ImageAttachment } from '@neuroloom/contract/social/attachments'
import { useTranslation } from 'react-i18next'
import { ImageRow } from '../../../ui/pictures/image-row.tsx'
import { useOpened } from './use-opened.ts'

type Props = {
  attachments: readonly Attachment[]
  /** Who sent them. */
  name: string
}

/** What went with a message or a post. */
export function Attachments({ attachments, name }: Props) {
  const images = attachments.filter(({ kind }) => kind === 'image')
  return images.length > 0 && <Images images={images} name={name} />
}

function Images({ images, name }: { images: readonly ImageAttachment[]; name: string }) {
  const { t } = useTranslation('social-attachments')
  const { opened, askAgain } = useOpened(images)
  return (
    <ImageRow
      goneText={t('gone')}
      images={images.map(({ id, width, height }, index) => {
        const found = opened[index]
        return {
          ...{ id, width, height, label: t('enlarge', { number: index + 1, name }) },
          urls: found && { preview: found.previewUrl, whole: found.url },
        }
      })}
      onBroken={askAgain}
    />
  )
}
