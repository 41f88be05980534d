import type { ImageFacts } from '@neuroloom/contract/viewing'
import { useEffect, useRef, useState } from 'react'
import { flatSliceOf, unpack } from './flat-slice.ts'
import styles from './viewer.module.css'
import type { Window } from './window.ts'

type Props = {
  bytes: ArrayBuffer
  facts: ImageFacts
  window: Window
  /** As the file stores them; null = the middle one. */
  slice: number | null
  label: string
}

/** One slice on a plain canvas, where the browser has no graphics acceleration. */
export function FlatPicture({ bytes, facts, window, slice: wanted, label }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [file, setFile] = useState<DataView | null>(null)
  useEffect(() => {
    let isGone = false
    unpack(bytes)
      .then((unpacked) => !isGone && setFile(unpacked))
      // The sentence over it says already that the image cannot be drawn as usual.
      .catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [bytes])
  useEffect(() => {
    const slice = file && flatSliceOf(file, { facts, window, slice: wanted })
    if (!slice || !canvas.current) return
    const { width, height, aspect, pixels } = slice
    Object.assign(canvas.current, { width, height })
    canvas.current.style.aspectRatio = `${width} / ${height * aspect}`
    canvas.current.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
  }, [file, facts, window, wanted])
  return <canvas ref={canvas} className={styles.flat} role="img" aria-label={label} />
}
