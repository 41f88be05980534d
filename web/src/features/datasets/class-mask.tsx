import { useEffect, useRef, useState } from 'react'
import { classToken } from '../../lib/class-colour.ts'
import { type Rgb, recolour, rgbOf, type Shades } from './class-colours.ts'
import styles from './item-picture.module.css'
import { TintedMask } from './tinted-mask.tsx'

type ClassMaskProps = {
  /** Address of the mask's picture. */
  source: string
  shades: Shades
  /** Of the whole mask, where its picture holds other colours than were told. */
  tint: string
}

/** A mask over its picture with each class in a colour of its own. */
export function ClassMask({ source, shades, tint }: ClassMaskProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isPainted, setPainted] = useState<boolean | null>(null)
  useEffect(() => {
    let isGone = false
    const image = new Image()
    image.onload = () => {
      if (!isGone && canvas.current) setPainted(paint(canvas.current, image, shades))
    }
    image.onerror = () => {
      if (!isGone) setPainted(false)
    }
    image.src = source
    return () => {
      isGone = true
    }
  }, [source, shades])
  if (isPainted === false) return <TintedMask source={source} tint={tint} />
  return <canvas ref={canvas} className={styles.classes} data-testid="class-mask" />
}

/** False where the picture cannot be read, or holds a colour that means nothing. */
function paint(canvas: HTMLCanvasElement, image: HTMLImageElement, shades: Shades): boolean {
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context || canvas.width === 0) return false
  context.drawImage(image, 0, 0)
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height)
  const style = getComputedStyle(canvas)
  const colourOf = (index: number): Rgb => rgbOf(style.getPropertyValue(classToken(index - 1)).trim())
  const isWhole = recolour(pixels.data, shades, colourOf)
  if (isWhole) context.putImageData(pixels, 0, 0)
  return isWhole
}
