import type { ImageFacts } from '@neuroloom/contract/viewing'
import { DRAG_MODE, Niivue, SLICE_TYPE } from '@niivue/niivue'
import { type RefObject, useEffect, useRef, useState } from 'react'

export const planes = ['three', 'axial', 'coronal', 'sagittal'] as const
export type Plane = (typeof planes)[number]
export const tools = ['look', 'window', 'pan', 'measure'] as const
export type Tool = (typeof tools)[number]

const sliceTypes = {
  three: SLICE_TYPE.MULTIPLANAR,
  axial: SLICE_TYPE.AXIAL,
  coronal: SLICE_TYPE.CORONAL,
  sagittal: SLICE_TYPE.SAGITTAL,
} as const
const dragModes = {
  look: DRAG_MODE.crosshair,
  window: DRAG_MODE.windowing,
  pan: DRAG_MODE.pan,
  measure: DRAG_MODE.measurement,
} as const

/** Draws a NIfTI image on a canvas and keeps what is chosen about it: plane, tool, window, slice, point in time. */
export function useVolume(
  canvas: RefObject<HTMLCanvasElement | null>,
  { url, facts }: { url: string; facts: ImageFacts },
) {
  const viewer = useRef<Niivue | null>(null)
  const isVolume = facts.layout === 'volume'
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [plane, setPlane] = useState<Plane>(isVolume ? 'three' : 'axial')
  const [tool, setTool] = useState<Tool>('look')
  const [frame, setFrame] = useState(0)
  const [slice, setSlice] = useState(Math.floor(facts.size[2] / 2))
  const [place, setPlace] = useState('')
  const [window, setWindow] = useState(() => firstWindow(facts))
  const first = useRef({ url, facts, window })

  useEffect(() => {
    if (!canvas.current) return
    let isGone = false
    const { url: address, facts: known, window: start } = first.current
    const drawn = makeViewer(known, (at) => !isGone && setPlace(at))
    drawn
      .attachToCanvas(canvas.current)
      .then(() =>
        drawn.loadVolumes([
          {
            url: address,
            name: 'volume.nii.gz',
            ...(known.channels === 1 ? { cal_min: start[0], cal_max: start[1] } : {}),
          },
        ]),
      )
      .then(() => {
        if (isGone) return
        const [image] = drawn.volumes
        // As radiographs often are: the highest value is black.
        if (image) image.colormapInvert = known.photometric === 'MONOCHROME1'
        drawn.updateGLVolume()
        viewer.current = drawn
        setState('ready')
      })
      .catch(() => {
        // Without WebGL 2, or when the image is larger than the graphics memory.
        if (!isGone) setState('failed')
      })
    return () => {
      isGone = true
      viewer.current = null
      drawn.cleanup()
    }
  }, [canvas])

  useEffect(() => {
    const drawn = viewer.current
    if (state !== 'ready' || !drawn) return
    drawn.setSliceType(sliceTypes[plane])
    drawn.setMouseEventConfig({
      leftButton: { primary: dragModes[tool] },
      rightButton: DRAG_MODE.windowing,
      centerButton: DRAG_MODE.pan,
    })
    drawn.setTouchEventConfig({ singleTouch: dragModes[tool], doubleTouch: DRAG_MODE.pan })
  }, [plane, tool, state])

  useEffect(() => {
    const drawn = viewer.current
    const image = drawn?.volumes[0]
    if (state !== 'ready' || !drawn || !image || facts.channels === 3) return
    ;[image.cal_min, image.cal_max] = window
    drawn.updateGLVolume()
  }, [window, state, facts.channels])

  useEffect(() => {
    const drawn = viewer.current
    const image = drawn?.volumes[0]
    if (state === 'ready' && drawn && image) drawn.setFrame4D(image.id, frame)
  }, [frame, state])

  const goTo = (next: number) => {
    const drawn = viewer.current
    // From here to there: the viewer knows only steps.
    drawn?.moveCrosshairInVox(0, 0, next - slice)
    setSlice(next)
  }
  return {
    state,
    plane,
    setPlane,
    tool,
    setTool,
    frame,
    setFrame,
    slice,
    setSlice: goTo,
    window,
    setWindow,
    place,
    reset: () => {
      const drawn = viewer.current
      drawn?.setPan2Dxyzmm([0, 0, 0, 1])
      drawn?.clearAllMeasurements()
      setWindow(firstWindow(facts))
    },
  }
}

/** Lowest and highest value shown: the file's own window, else all values. */
function firstWindow({ windows: [own], range }: ImageFacts): [number, number] {
  if (own) return [own.center - own.width / 2, own.center + own.width / 2]
  return range ? [range.min, range.max] : [0, 1]
}

function makeViewer(facts: ImageFacts, onPlace: (text: string) => void): Niivue {
  const isVolume = facts.layout === 'volume'
  const viewer = new Niivue({
    dragAndDropEnabled: false,
    backColor: [0, 0, 0, 1],
    crosshairColor: [0.07, 0.51, 0.61, 1],
    crosshairWidth: isVolume ? 1 : 0,
    show3Dcrosshair: false,
    isColorbar: false,
    isNearestInterpolation: true,
    isRadiologicalConvention: true,
    isOrientationTextVisible: isVolume && facts.orientation !== null,
    loadingText: '',
    logLevel: 'silent',
  })
  viewer.onLocationChange = (location) => onPlace(placeOf(location))
  return viewer
}

/** The viewer's own short text: millimetres or voxels, and the value there. */
function placeOf(location: unknown): string {
  if (typeof location !== 'object' || location === null || !('string' in location)) return ''
  return String(location.string)
}
