import { type CSSProperties, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../lazy-part.tsx'
import styles from './image-row.module.css'

const LargeImages = lazyPart(async () => (await import('./large-images.tsx')).LargeImages, { over: true })

export type RowImage = {
  id: string
  /** In pixels: its place is kept while it loads. */
  width: number
  height: number
  /** `undefined` while they are asked for; null of what is not there any more. */
  urls: { preview: string; whole: string } | null | undefined
  /** Says what pressing it does. */
  label: string
}

type Props = {
  images: readonly RowImage[]
  /** Stands in the place of one that is not there any more. */
  goneText: string
  /** Its address did not lead to an image, perhaps for its age. */
  onBroken?: (id: string) => void
}

/** Small images in a row; pressed, one is shown large, and arrow keys lead to the others. */
export function ImageRow({ images, goneText, onBroken }: Props) {
  const [openId, setOpenId] = useState<string | null>(null)
  const shown = images.filter(({ urls }) => urls)
  const current = shown.findIndex(({ id }) => id === openId)
  return (
    <div className={styles.row}>
      {images.map((image) => (
        <SmallImage
          key={image.id}
          image={image}
          goneText={goneText}
          onOpen={() => setOpenId(image.id)}
          onBroken={() => onBroken?.(image.id)}
        />
      ))}
      {current >= 0 && (
        <Suspense fallback={null}>
          <LargeImages
            urls={shown.map(({ urls }) => urls?.whole ?? '')}
            current={current}
            onChange={(next) => setOpenId(shown[next]?.id ?? null)}
            onClose={() => setOpenId(null)}
          />
        </Suspense>
      )}
    </div>
  )
}

type SmallProps = { image: RowImage; goneText: string; onOpen: () => void; onBroken: () => void }

function SmallImage({ image, goneText, onOpen, onBroken }: SmallProps) {
  const { width, height, urls, label } = image
  // Addresses change with every answer: an image once loaded stays. A broken one is asked for once more.
  const [loaded, setLoaded] = useState<string | null>(null)
  const [isBroken, setIsBroken] = useState(false)
  const tries = useRef(0)
  // Read by the style sheet.
  const style = { '--ratio': width / height } as CSSProperties
  if (urls === null || isBroken)
    return (
      <span className={styles.gone} style={style}>
        {goneText}
      </span>
    )
  const url = loaded ?? urls?.preview
  return (
    <button
      type="button"
      className={styles.small}
      style={style}
      aria-label={label}
      disabled={!urls}
      onClick={onOpen}
    >
      {url !== undefined && (
        <img
          src={url}
          alt=""
          decoding="async"
          onLoad={() => setLoaded(url)}
          onError={() => {
            setLoaded(null)
            tries.current += 1
            if (tries.current > 1) setIsBroken(true)
            else onBroken()
          }}
        />
      )}
    </button>
  )
}
