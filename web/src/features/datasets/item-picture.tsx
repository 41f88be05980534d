import { PictureOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import styles from './item-picture.module.css'

export type DatasetItem = Answer<'datasets/items'>['items'][number]

type ItemPictureProps = {
  item: DatasetItem
  task: Task | null
  /** Whether the mask or the boxes lie over the picture. */
  showsMarks?: boolean
}

/** What belongs to a picture in data for restoration: the same one, as it should become. */
const pairs: Partial<Record<Task, readonly ['small' | 'noisy', 'large' | 'clean']>> = {
  super_resolution: ['small', 'large'],
  denoising: ['noisy', 'clean'],
}

/** A picture of the data set with what is known of it: a mask in colour, boxes, or the picture it should become. */
export function ItemPicture({ item, task, showsMarks = true }: ItemPictureProps) {
  const { t } = useTranslation('datasets')
  const { image, mask, name } = item
  const pair = task === null ? undefined : pairs[task]
  if (pair) {
    return (
      <span className={styles.pair}>
        {[image, mask].map((source, index) => (
          <span key={pair[index]} className={styles.picture}>
            <Picture source={source} name={`${name}, ${t(pair[index] ?? pair[0])}`} />
            <small>{t(pair[index] ?? pair[0])}</small>
          </span>
        ))}
      </span>
    )
  }
  return (
    <span className={styles.picture}>
      <Picture source={image} name={name} />
      {mask && showsMarks && (
        <span className={styles.mask} style={{ maskImage: `url("${mask}")` }} data-testid="mask" />
      )}
      {showsMarks && <Boxes item={item} />}
    </span>
  )
}

function Picture({ source, name }: { source: string | null; name: string }) {
  return source ? (
    <img src={source} alt={name} loading="lazy" decoding="async" />
  ) : (
    <PictureOutlined aria-hidden />
  )
}

/** Boxes are told in pixels of the picture as it is stored, so the drawing has that size and is fitted like the picture. */
function Boxes({ item: { boxes, width, height } }: { item: DatasetItem }) {
  if (boxes === null || boxes.length === 0) return null
  return (
    <svg className={styles.boxes} viewBox={`0 0 ${width} ${height}`} aria-hidden data-testid="boxes">
      {boxes.map(({ x0, y0, x1, y1 }) => (
        <rect key={`${x0} ${y0} ${x1} ${y1}`} x={x0} y={y0} width={x1 - x0} height={y1 - y0} />
      ))}
    </svg>
  )
}
