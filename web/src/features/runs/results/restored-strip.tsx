import type { Task } from '@neuroloom/contract/task'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Item } from './item-kind.ts'
import styles from './items.module.css'

/** Side by side in one picture, as the engine draws it; the last two only where the truth is known. */
const allParts = ['input', 'result', 'truth', 'error'] as const
/** Pixels between two parts. */
export const gap = 4
/** The engine shows at most 192 pixels of a side (`MOST` in `strip.py`), or the multiple of the factor just below. */
const NEAR_MOST = 189

export const partsOf = (isJudged: boolean) => (isJudged ? allParts : allParts.slice(0, 2))

export type StripProps = {
  item: Pick<Item, 'overlay' | 'whole'>
  task: Task
  alt: string
  isJudged?: boolean
}

/**
 * What stands for the input: in super-resolution the enlargement that the figures compare with, but in results of before,
 * which tell nothing of a whole image, its pixels repeated.
 */
export const inputOf = ({ item: { whole }, task }: Pick<StripProps, 'item' | 'task'>): string =>
  task === 'super_resolution' && whole !== undefined ? 'enlarged' : ''

/** A wide picture of four parts or two, each cut out and named, so that they fit a phone two by two. */
export function RestoredStrip({ item, task, alt, isJudged = true }: StripProps) {
  const { t } = useTranslation(['runs', 'results'])
  const [size, setSize] = useState({ width: 1, height: 1 })
  const parts = partsOf(isJudged)
  const gaps = gap * (parts.length - 1)
  const crop = cropOf(item, size)
  return (
    <>
      <span className={styles.strip} role="img" aria-label={alt} data-parts={parts.length}>
        {parts.map((part, index) => (
          <span key={part}>
            <img
              src={item.overlay ?? ''}
              alt=""
              loading="lazy"
              style={{
                aspectRatio: `${size.width} / ${size.height}`,
                objectPosition: `${(100 * index) / (parts.length - 1)}% 0`,
              }}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                setSize({ width: (naturalWidth - gaps) / parts.length, height: naturalHeight })
              }
            />
            <small>
              {t(`results:items.strip.${part}`, { context: part === 'input' ? inputOf({ item, task }) : '' })}
            </small>
          </span>
        ))}
      </span>
      {crop === null ? null : <small className={styles.crop}>{t(`results:items.crop.${crop}`)}</small>}
    </>
  )
}

/**
 * Whether the strip shows a part of the image. There is a picture of the whole only where it does; without one, a strip
 * of the largest size may show all of an image that is just as large.
 */
function cropOf({ whole }: Pick<Item, 'whole'>, { width, height }: Size): 'detail' | 'most' | null {
  if (whole) return 'detail'
  return Math.max(width, height) >= NEAR_MOST ? 'most' : null
}

type Size = { width: number; height: number }
