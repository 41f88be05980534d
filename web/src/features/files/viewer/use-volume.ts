import type { ImageFacts } from '@neuroloom/contract/viewing'
import { DRAG_MODE, Niivue, SHOW_RENDER, SLICE_TYPE } from '@niivue/niivue'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTouch } from './use-touch.ts'
import { firstWindow } from './window.ts'

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
/** Across which axis a plane is scrolled. */
const axes = { three: null, axial: 2, coronal: 1, sagittal: 0 } as const
const dragModes = {
  look: DRAG_MODE.crosshair,
  window: DRAG_MODE.windowing,
  pan: DRAG_MODE.pan,
  measure: DRAG_MODE.measurement,
} as const
const ZOOM = { least: 0.5, most: 20 }

/** Draws a NIfTI image on a canvas and keeps what is chosen about it: plane, tool, window, slice, point in time. */
export function useVolume(
  canvas: RefObject<HTMLCanvasElement | null>,
  { url, facts, onLost }: { url: string; facts: ImageFacts; onLost: (() => void) | undefined },
) {
  const viewer = useRef<Niivue | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [plane, setPlane] = useState<Plane>(facts.layout === 'volume' ? 'three' : 'axial')
  const [tool, setTool] = useState<Tool>('look')
  const [frame, setFrame] = useState(0)
  const [place, setPlace] = useState<Place>({ voxel: [0, 0, 0], text: '' })
  const [measured, setMeasured] = useState<number | null>(null)
  const [sides, setSides] = useState<readonly number[]>([1, 1, 1])
  const [window, setWindow] = useState(() => firstWindow(facts))
  const first = useRef({ url, facts, window })

  useEffect(() => {
    if (!canvas.current) return
    let isGone = false
    const { url: address, facts: known, window: start } = first.current
    const drawn = makeViewer(known)
    drawn.onLocationChange = (location) => !isGone && setPlace(placeOf(location))
    // Dragged with the mouse: the slider follows.
    drawn.onIntensityChange = ({ cal_min = 0, cal_max = 1 }) => !isGone && setWindow([cal_min, cal_max])
    drawn.onMeasurementCompleted = ({ distance }) => !isGone && setMeasured(distance)
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
        setSides(image?.dimsRAS?.slice(1, 4) ?? [1, 1, 1])
        drawn.createOnLocationChange()
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
    const shown = canvas.current
    const handleLost = () => (onLost ? onLost() : setState('failed'))
    shown?.addEventListener('webglcontextlost', handleLost)
    return () => shown?.removeEventListener('webglcontextlost', handleLost)
  }, [canvas, onLost])

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
    if (image.cal_min === window[0] && image.cal_max === window[1]) return
    ;[image.cal_min, image.cal_max] = window
    drawn.updateGLVolume()
  }, [window, state, facts.channels])

  useEffect(() => {
    const drawn = viewer.current
    const image = drawn?.volumes[0]
    if (state === 'ready' && drawn && image) drawn.setFrame4D(image.id, frame)
  }, [frame, state])

  const zoom = (by: number) => {
    const drawn = viewer.current
    if (drawn) zoomBy(drawn, by)
  }
  useTouch(canvas, { zoom, isDragged: tool === 'pan' || tool === 'measure', isWheelZoom: tool === 'pan' })

  const axis = axes[plane]
  const count = axis === null ? 1 : (sides[axis] ?? 1)
  const goTo = (next: number) => {
    const drawn = viewer.current
    if (!drawn || axis === null || next < 0 || next >= count) return
    drawn.scene.crosshairPos[axis] = (next + 0.5) / count
    drawn.createOnLocationChange()
    drawn.drawScene()
  }
  return {
    state,
    plane,
    setPlane,
    tool,
    setTool,
    frame,
    setFrame,
    /** Of the plane shown; one where three are. */
    slices: count,
    slice: axis === null ? 0 : (place.voxel[axis] ?? 0),
    setSlice: goTo,
    window,
    setWindow,
    place: place.text,
    /** The last distance, in the file's own units. */
    measured,
    zoom,
    reset: () => {
      const drawn = viewer.current
      drawn?.setPan2Dxyzmm([0, 0, 0, 1])
      drawn?.clearAllMeasurements()
      setMeasured(null)
      setWindow(firstWindow(facts))
    },
  }
}

function makeViewer(facts: ImageFacts): Niivue {
  const isVolume = facts.layout === 'volume'
  return new Niivue({
    dragAndDropEnabled: false,
    backColor: [0, 0, 0, 1],
    crosshairColor: [0.07, 0.51, 0.61, 1],
    crosshairWidth: isVolume ? 0.3 : 0,
    crosshairWidthUnit: 'percent',
    show3Dcrosshair: false,
    // Three planes are three planes; the room of a fourth view goes to them.
    multiplanarShowRender: SHOW_RENDER.NEVER,
    multiplanarPadPixels: 4,
    isColorbar: false,
    isNearestInterpolation: true,
    isRadiologicalConvention: true,
    isOrientationTextVisible: isVolume && facts.orientation !== null,
    measureLineColor: [1, 0.8, 0.2, 1],
    measureTextColor: [1, 0.8, 0.2, 1],
    // Where the file does not say how large a pixel is, these are pixels.
    showMeasureUnits: facts.spacing !== null,
    loadingText: '',
    logLevel: 'silent',
  })
}

/** What lies under the cross stays where it is. */
function zoomBy(drawn: Niivue, by: number): void {
  const [x = 0, y = 0, z = 0, before = 1] = drawn.scene.pan2Dxyzmm
  const after = Math.min(Math.max(before * by, ZOOM.least), ZOOM.most)
  const [left = 0, front = 0, up = 0] = drawn.frac2mm(drawn.scene.crosshairPos)
  const change = before - after
  drawn.setPan2Dxyzmm([x + change * left, y + change * front, z + change * up, after])
}

type Place = { voxel: readonly number[]; text: string }

/** The viewer's own short text: millimetres or voxels, and the value there. */
function placeOf(location: unknown): Place {
  if (typeof location !== 'object' || location === null) return { voxel: [], text: '' }
  const voxel = 'vox' in location && isNumbers(location.vox) ? Array.from(location.vox, Math.round) : []
  return { voxel, text: 'string' in location ? String(location.string) : '' }
}

const isNumbers = (value: unknown): value is Iterable<number> =>
  Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array
