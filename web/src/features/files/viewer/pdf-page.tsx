import { AnnotationMode, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './pdf.module.css'
import type { Pdf } from './use-pdf.ts'

/** A sheet of more dots than this is drawn coarser: browsers end pages that ask for too much. */
const MOST_PIXELS = 16_000_000
/** Sheets within this many screens are drawn ahead. */
const AHEAD = '100%'

type PdfPageProps = {
  pdf: Pdf
  number: number
  scale: number
  size: { width: number; height: number }
  /** What scrolls. */
  root: HTMLElement | null
}

/** One sheet: drawn when it comes near, forgotten when it is far; its words can be marked and read aloud. */
export function PdfPage({ pdf, number, scale, size: expected, root }: PdfPageProps) {
  const { t } = useTranslation('files')
  const sheet = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(sheet, root)
  const [size, setSize] = useState(expected)
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    const target = sheet.current
    if (!target) return
    if (!isNear) {
      target.replaceChildren()
      return
    }
    const stop = new AbortController()
    draw(pdf, { number, scale, target, onSize: setSize, signal: stop.signal }).catch(() => {
      if (!stop.signal.aborted) setIsFailed(true)
    })
    return () => stop.abort()
  }, [pdf, number, scale, isNear])
  return (
    <section
      className={styles.page}
      aria-label={t('view.pdf.pageOf', { number, total: pdf.numPages })}
      style={{ width: size.width * scale, height: size.height * scale }}
    >
      <div ref={sheet} />
      {isFailed && <p>{t('view.pdf.pageFailed')}</p>}
    </section>
  )
}

function useIsNear(target: React.RefObject<HTMLElement | null>, root: HTMLElement | null): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (!target.current || !root) return
    const watch = new IntersectionObserver(([entry]) => setIsNear(entry?.isIntersecting ?? false), {
      root,
      rootMargin: AHEAD,
    })
    watch.observe(target.current)
    return () => watch.disconnect()
  }, [target, root])
  return isNear
}

type Drawing = {
  number: number
  scale: number
  target: HTMLElement
  onSize: (size: { width: number; height: number }) => void
  signal: AbortSignal
}

/** What was drawn at another size stays, stretched, until the new sheet is there. */
async function draw(pdf: Pdf, { number, scale, target, onSize, signal }: Drawing): Promise<void> {
  const page = await pdf.getPage(number)
  if (signal.aborted) return
  const { width, height } = page.getViewport({ scale: 1 })
  onSize({ width, height })
  const viewport = page.getViewport({ scale })
  const dots = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(viewport.width * dots))
  canvas.height = Math.max(1, Math.floor(viewport.height * dots))
  // Words are read from their own layer.
  canvas.ariaHidden = 'true'
  const rendering = page.render({
    canvas,
    viewport,
    transform: [dots, 0, 0, dots, 0, 0],
    annotationMode: AnnotationMode.ENABLE,
  })
  signal.addEventListener('abort', () => rendering.cancel())
  await rendering.promise
  const words = document.createElement('div')
  words.className = styles.words ?? ''
  words.style.setProperty('--total-scale-factor', String(scale))
  target.replaceChildren(canvas, words)
  await new TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport }).render()
}
