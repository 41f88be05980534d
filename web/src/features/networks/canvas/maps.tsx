import type { Seen } from '@neuroloom/contract/networks'
import { useEffect, useRef } from 'react'
import styles from './cards/card.module.css'

const shown = 4

/** The first feature maps of a node side by side, each as bright as it can be. */
export function Maps({ seen }: { seen: Seen }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const count = Math.min(shown, seen.channels)
  useEffect(() => {
    const context = ref.current?.getContext('2d')
    if (!context) return
    for (let k = 0; k < count; k++) context.putImageData(imageOf(seen, k), k * (seen.width + 1), 0)
  }, [seen, count])
  return (
    <canvas
      ref={ref}
      className={styles.maps}
      width={count * (seen.width + 1) - 1}
      height={seen.height}
      aria-hidden
    />
  )
}

function imageOf({ data, width, height }: Seen, channel: number): ImageData {
  const bytes = atob(data)
  const image = new ImageData(width, height)
  for (let k = 0; k < width * height; k++) {
    const light = bytes.charCodeAt(channel * width * height + k)
    image.data.set([light, light, light, 255], 4 * k)
  }
  return image
}
