/**
 * The mobile mode of the interface: the root's font size follows the width of the window, so that what is measured in
 * `rem` keeps its share of a phone's screen. Wider windows keep the browser's own size.
 */

/** Up to here a window counts as a phone, in CSS pixels. */
export const MOBILE_WIDTH = 540
/** 20 pixels on the narrowest phone. */
const NARROWEST = 320
const BASE = 20

/**
 * Root font size in device pixels: 20 for each 320 of the width, which counts up to 540 CSS pixels; a screen's pixel
 * ratio counts as 1, 2 or 3.
 */
export function rootPixels({ width, pixelRatio }: { width: number; pixelRatio: number }): number {
  return (BASE * Math.min(width, MOBILE_WIDTH) * ratioOf(pixelRatio)) / NARROWEST
}

const ratioOf = (pixelRatio: number): number => Math.min(3, Math.max(1, Math.round(pixelRatio)))

/** Waits for the end of a resize, and for browsers that settle their width after the start. */
const RESIZE_MS = 33
const START_MS = 333

/** Sets the size now, a moment after the start and after each resize; ends when the returned function is called. */
export function followWidth(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(setRootSize, ms)
  }
  const resized = () => later(RESIZE_MS)
  setRootSize()
  later(START_MS)
  window.addEventListener('resize', resized)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('resize', resized)
  }
}

function setRootSize(): void {
  const { innerWidth: width, devicePixelRatio: pixelRatio } = window
  const root = document.documentElement
  if (width > MOBILE_WIDTH) return void root.style.removeProperty('font-size')
  // Pages are laid out in CSS pixels and may be zoomed, so the ratio is taken out again.
  root.style.fontSize = `${rootPixels({ width, pixelRatio }) / ratioOf(pixelRatio)}px`
}
