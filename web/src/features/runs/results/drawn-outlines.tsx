import { useEffect, useRef } from 'react'

/** Which of the two outlines are not drawn. */
export type Hidden = { truth: boolean; predicted: boolean }

/** What the engine draws with (`data/overlay.py`), without any colour in between: the truth, and what was found by its class. */
const truth = new Set(['0 230 90'])
const predicted = new Set([
  ...['255 0 200', '0 200 255', '255 170 0', '170 110 255'],
  ...['255 240 60', '255 80 80', '80 140 255', '255 150 190'],
])

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
      if (!isOver && drawn && bare) takeAway(target, { drawn, bare, colours: noTruth ? truth : predicted })
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

type Layers = { drawn: HTMLImageElement; bare: HTMLImageElement; colours: ReadonlySet<string> }

function takeAway(target: HTMLCanvasElement, { drawn, bare, colours }: Layers): void {
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
    // Most pixels are grey, which no outline is.
    if (data[at] === data[at + 1] && data[at] === data[at + 2]) continue
    if (!colours.has(`${data[at]} ${data[at + 1]} ${data[at + 2]}`)) continue
    for (let part = 0; part < 3; part += 1) data[at + part] = behind.data[at + part] ?? 0
  }
  context.putImageData(shown, 0, 0)
}
