import { PictureOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import styles from './item-picture.module.css'

export type DatasetItem = Answer<'datasets/items'>['items'][number]

/** A picture of the data set; its mask, where there is one, lies over it in colour. */
export function ItemPicture({ item, showsMask = true }: { item: DatasetItem; showsMask?: boolean }) {
  const { image, mask, name } = item
  return (
    <span className={styles.picture}>
      {image ? (
        <img src={image} alt={name} loading="lazy" decoding="async" />
      ) : (
        <PictureOutlined aria-hidden />
      )}
      {mask && showsMask && (
        <span className={styles.mask} style={{ maskImage: `url("${mask}")` }} data-testid="mask" />
      )}
    </span>
  )
}
