import { useEffect, useRef } from 'react'

/** Which of the two outlines are not drawn. */
export type Hidden = { truth: boolean; predicted: boolean }

/** What the engine draws with (`data/overlay.py`), one colour for each, without any in between. */
const truth = [0, 230, 90] as const
const predicted = [255, 0, 200] as const

type Props = {
  overlay: string
  /** The same image without outlines. */
  plain: string | null
  alt: string
  hidden: Hidden
}

/** The picture with the outlines that the engine drew; one of them is taken away by what lies behind it. */
export function DrawnOutlines({ overlay, plain, alt, hidden }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isWhole = plain === null || (!hidden.truth && !hidden.predicted)
  const isBare = hidden.truth && hidden.predicted
  const { truth: noTruth, predicted: noPredicted } = hidden
  useEffect(() => {
    const target = canvas.current
    if (!target || plain === null) return
    let isOver = false
    void Promise.all([overlay, plain].map(loaded)).then(([drawn, bare]) => {
      if (!isOver && drawn && bare) takeAway(target, { drawn, bare, colour: noTruth ? truth : predicted })
    })
    return () => {
      isOver = true
    }
  }, [overlay, plain, noTruth])
  if (isWhole) return <img src={overlay} alt={alt} />
  if (isBare) return <img src={plain ?? overlay} alt={alt} />
  return <canvas ref={canvas} role="img" aria-label={alt} data-hidden={noPredicted ? 'predicted' : 'truth'} />
}

async function loaded(source: string): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = source
  return image.decode().then(
    () => image,
    () => null,
  )
}

type Layers = { drawn: HTMLImageElement; bare: HTMLImageElement; colour: readonly [number, number, number] }

function takeAway(target: HTMLCanvasElement, { drawn, bare, colour: [red, green, blue] }: Layers): void {
  const { naturalWidth: width, naturalHeight: height } = drawn
  Object.assign(target, { width, height })
  const context = target.getContext('2d', { willReadFrequently: true })
  if (!context) return
  context.drawImage(bare, 0, 0, width, height)
  const behind = context.getImageData(0, 0, width, height)
  context.drawImage(drawn, 0, 0, width, height)
  const shown = context.getImageData(0, 0, width, height)
  const { data } = shown
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) continue
    for (let part = 0; part < 3; part += 1) data[at + part] = behind.data[at + part] ?? 0
  }
  context.putImageData(shown, 0, 0)
}
