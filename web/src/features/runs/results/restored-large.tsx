import { Segmented } from 'antd'
import { type UIEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './items.module.css'
import { gap, inputOf, partsOf, type StripProps } from './restored-strip.tsx'

/** Each pixel of a picture on so many of the screen, on each side: a share of one would be invented by the browser. */
const zooms = [1, 2, 4, 8] as const
/** Parts narrower than this are first shown larger. */
const NARROW = 200

/** The parts beside each other, pixel by pixel and unsmoothed; scrolled together, so that all show the same place. */
export function RestoredLarge({ item, task, alt, isJudged = true }: StripProps) {
  const { t } = useTranslation('results')
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const boxes = useRef(new Map<string, HTMLElement>())
  const parts = partsOf(isJudged)
  const width = size ? (size.width - gap * (parts.length - 1)) / parts.length : 0
  const zoom = chosen ?? (width > 0 && width < NARROW ? 2 : 1)
  const scale = zoom / (window.devicePixelRatio || 1)
  const follow = ({ currentTarget: { scrollLeft, scrollTop } }: UIEvent<HTMLElement>): void => {
    for (const box of boxes.current.values()) Object.assign(box, { scrollLeft, scrollTop })
  }
  return (
    <div>
      <Segmented<number>
        aria-label={t('items.zoom')}
        value={zoom}
        onChange={setChosen}
        options={zooms.map((value) => ({ value, label: `${value} ×` }))}
      />
      <div className={styles.parts} role="img" aria-label={alt}>
        {parts.map((part, index) => (
          <figure key={part}>
            <div
              className={styles.part}
              ref={(box) => {
                if (box) boxes.current.set(part, box)
                else boxes.current.delete(part)
              }}
              onScroll={follow}
            >
              <div style={{ width: width * scale, height: (size?.height ?? 0) * scale }}>
                <img
                  src={item.whole ?? item.overlay ?? ''}
                  alt=""
                  style={{ width: (size?.width ?? 0) * scale, marginLeft: -(width + gap) * index * scale }}
                  onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                    setSize({ width: naturalWidth, height: naturalHeight })
                  }
                />
              </div>
            </div>
            <figcaption>
              {t(`items.strip.${part}`, { context: part === 'input' ? inputOf({ item, task }) : '' })}
            </figcaption>
          </figure>
        ))}
      </div>
      {item.whole ? null : <p className={styles.caption}>{t('items.detail')}</p>}
    </div>
  )
}
