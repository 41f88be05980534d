import { Segmented, Slider } from 'antd'
import { type ReactNode, type UIEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './items.module.css'
import { gap, inputOf, partsOf, type StripProps } from './restored-strip.tsx'

/** Each pixel of a picture on so many of the screen, on each side: a share of one would be invented by the browser. */
const zooms = [1, 2, 4, 8] as const
/** Parts narrower than this are first shown larger. */
const NARROW = 200
const arrangements = ['side', 'over'] as const
type Arrangement = (typeof arrangements)[number]

/** The parts pixel by pixel and unsmoothed, beside each other, or the result over the input. */
export function RestoredLarge(props: StripProps) {
  const { item, isJudged = true } = props
  const { t } = useTranslation('results')
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [arrangement, setArrangement] = useState<Arrangement>('side')
  const parts = partsOf(isJudged)
  const width = size ? (size.width - gap * (parts.length - 1)) / parts.length : 0
  const zoom = chosen ?? (width > 0 && width < NARROW ? 2 : 1)
  const scale = zoom / (window.devicePixelRatio || 1)
  const arranged: ArrangedProps = {
    ...props,
    columns: width,
    box: { width: width * scale, height: (size?.height ?? 0) * scale },
    cutOut: (index) => (
      <img
        src={item.whole ?? item.overlay ?? ''}
        alt=""
        style={{ width: (size?.width ?? 0) * scale, marginLeft: -(width + gap) * index * scale }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ width: naturalWidth, height: naturalHeight })
        }
      />
    ),
  }
  return (
    <div>
      <div className={styles.choices}>
        <Segmented<number>
          aria-label={t('items.zoom')}
          value={zoom}
          onChange={setChosen}
          options={zooms.map((value) => ({ value, label: `${value} ×` }))}
        />
        <Segmented<Arrangement>
          aria-label={t('items.arrangement.name')}
          value={arrangement}
          onChange={setArrangement}
          options={arrangements.map((value) => ({ value, label: t(`items.arrangement.${value}`) }))}
        />
      </div>
      {arrangement === 'over' ? <OneOverOther {...arranged} /> : <SideBySide {...arranged} />}
      {item.whole ? null : <p className={styles.caption}>{t('items.detail')}</p>}
    </div>
  )
}

type ArrangedProps = StripProps & {
  /** How many pixels of the image a part is wide. */
  columns: number
  /** How large a part is on the screen. */
  box: { width: number; height: number }
  /** The picture of all parts, moved so that the part with this index lies in the box. */
  cutOut: (index: number) => ReactNode
}

/** The parts scroll together, so that all of them show the same place. */
function SideBySide({ item, task, alt, isJudged = true, box, cutOut }: ArrangedProps) {
  const { t } = useTranslation('results')
  const boxes = useRef(new Map<string, HTMLElement>())
  const follow = ({ currentTarget: { scrollLeft, scrollTop } }: UIEvent<HTMLElement>): void => {
    for (const one of boxes.current.values()) Object.assign(one, { scrollLeft, scrollTop })
  }
  return (
    <div className={styles.parts} role="img" aria-label={alt}>
      {partsOf(isJudged).map((part, index) => (
        <figure key={part}>
          <div
            className={styles.part}
            ref={(one) => {
              if (one) boxes.current.set(part, one)
              else boxes.current.delete(part)
            }}
            onScroll={follow}
          >
            <div style={box}>{cutOut(index)}</div>
          </div>
          <figcaption>
            {t(`items.strip.${part}`, { context: part === 'input' ? inputOf({ item, task }) : '' })}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

/** The input, and over it the result from a line on that a slider moves. */
function OneOverOther({ item, task, columns, box, cutOut }: ArrangedProps) {
  const { t } = useTranslation('results')
  const captionId = useId()
  const [share, setShare] = useState(50)
  // The line lies between two pixels of the image: a pixel that is cut in two would be mixed from both layers.
  const line = columns > 0 ? (100 * Math.round((share / 100) * columns)) / columns : share
  return (
    <figure className={styles.layers}>
      <div className={styles.divider} style={{ width: box.width }}>
        <Slider
          value={share}
          onChange={setShare}
          ariaLabelForHandle={t('items.arrangement.line')}
          tooltip={{ formatter: null }}
        />
      </div>
      <div className={styles.part} role="img" aria-labelledby={captionId}>
        <div style={box}>
          {cutOut(0)}
          <div className={styles.upper} style={{ clipPath: `inset(0 0 0 ${line}%)` }}>
            {cutOut(1)}
          </div>
        </div>
      </div>
      <figcaption id={captionId}>
        {t('items.arrangement.caption', {
          left: t('items.strip.input', { context: inputOf({ item, task }) }),
          right: t('items.strip.result'),
        })}
      </figcaption>
    </figure>
  )
}
