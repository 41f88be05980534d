import { PictureOutlined } from '@ant-design/icons'
import type { DatasetItem } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Shades } from './class-colours.ts'
import { ClassMask } from './class-mask.tsx'
import { tintFor, usualTint } from './contrast.ts'
import styles from './item-picture.module.css'
import { TintedMask } from './tinted-mask.tsx'

type ItemPictureProps = {
  item: DatasetItem
  task: Task | null
  /** Whether the mask or the boxes lie over the picture. */
  showsMarks?: boolean
  /** Fills the room that there is instead of a square. */
  isLarge?: boolean
}

/** What belongs to a picture in data for restoration: the same one, as it should become. */
const pairs: Partial<Record<Task, readonly ['small' | 'noisy', 'large' | 'clean']>> = {
  super_resolution: ['small', 'large'],
  denoising: ['noisy', 'clean'],
}

/** A picture of the data set with what is known of it: a mask in colour, boxes, or the picture it should become. */
export function ItemPicture({ item, task, showsMarks = true, isLarge = false }: ItemPictureProps) {
  const { t } = useTranslation('datasets')
  const [tint, setTint] = useState<string>(usualTint)
  const { image, mask, name } = item
  const pair = task === null ? undefined : pairs[task]
  if (pair) {
    return (
      <span className={styles.pair} data-large={isLarge}>
        {[image, mask].map((source, index) => (
          <span key={pair[index]} className={styles.picture}>
            <Picture source={source} name={`${name}, ${t(pair[index] ?? pair[0])}`} onLoad={null} />
            <small>{t(pair[index] ?? pair[0])}</small>
          </span>
        ))}
      </span>
    )
  }
  return (
    <span className={styles.picture} data-large={isLarge}>
      <Picture source={image} name={name} onLoad={mask ? (loaded) => setTint(tintFor(loaded)) : null} />
      {mask && showsMarks && (
        // Another mask in this place begins anew.
        <Mask key={mask} source={mask} shades={item.shades ?? null} tint={tint} />
      )}
      {showsMarks && <Boxes item={item} />}
    </span>
  )
}

type MaskProps = { source: string; shades: Shades | null; tint: string }

function Mask({ source, shades, tint }: MaskProps) {
  if (shades === null) return <TintedMask source={source} tint={tint} />
  return <ClassMask source={source} shades={shades} tint={tint} />
}

type PictureProps = {
  source: string | null
  name: string
  onLoad: ((image: HTMLImageElement) => void) | null
}

function Picture({ source, name, onLoad }: PictureProps) {
  return source ? (
    <img
      src={source}
      alt={name}
      loading="lazy"
      decoding="async"
      onLoad={({ currentTarget }) => onLoad?.(currentTarget)}
    />
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
