import type { TextPicture, TextRegion } from '@neuroloom/contract/burned-in'
import type { ReactNode } from 'react'
import type { Size } from './boxes.ts'
import { SURE } from './boxes.ts'
import styles from './texts.module.css'

type ShownProps = {
  picture: TextPicture
  size: Size
  frame?: number
  isSmall?: boolean
  /** Instead of the boxes that were found. */
  children?: ReactNode
}

/** A frame of a picture, with its boxes over it. */
export function Shown({ picture, size, frame, isSmall = false, children }: ShownProps) {
  const { shown, regions } = picture
  const first = frame ?? regions[0]?.first ?? 0
  return (
    <span className={styles.shown} style={{ aspectRatio: `${size.width} / ${size.height}` }}>
      {shown && (
        <img
          src={`${shown}&frame=${first}${isSmall ? '&small=1' : ''}`}
          alt=""
          loading="lazy"
          draggable={false}
        />
      )}
      {children ??
        regions.map((region, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no name, and these are not moved
            key={index}
            className={styles.box}
            data-unsure={region.sureness < SURE}
            style={placeOf(region, size)}
          />
        ))}
    </span>
  )
}

/** Of the picture, whatever its size on the screen. */
export const placeOf = ({ x, y, w, h }: TextRegion, { width, height }: Size) => ({
  left: `${(x / width) * 100}%`,
  top: `${(y / height) * 100}%`,
  width: `${(w / width) * 100}%`,
  height: `${(h / height) * 100}%`,
})
