import { useLayoutEffect, useState } from 'react'

/** CSS pixels of a canvas as it is laid out. */
export function useSize(canvas: { current: HTMLCanvasElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const target = canvas.current
    if (!target) return
    const observer = new ResizeObserver(() =>
      setSize({ width: target.clientWidth, height: target.clientHeight }),
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [canvas])
  return size
}
