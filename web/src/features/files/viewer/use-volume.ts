import { type FlatPlane, flatPlanes, type Plane } from '@neuroloom/contract/image-view'
import type { ImageFacts } from '@neuroloom/contract/viewing'
import { DRAG_MODE, Niivue, SHOW_RENDER, SLICE_TYPE } from '@niivue/niivue'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { lookedAt, type Sight, sightOf } from './beside/sight.ts'
import { isOfSameScale, type Looked, useToldValue, useViewLink } from './beside/view-link.ts'
import type { Place } from './measure/marks.ts'
import type { Pane, Surface } from './measure/surface.ts'
import { planeOf } from './plane-of.ts'
import type { UnderCross } from './readout.tsx'
import { useTouch } from './use-touch.ts'
import type { ImageView } from './view-address.ts'
import { fractionsOf, gridOf, orderOf, panesOf } from './volume-surface.ts'
import { firstWindow, type Window } from './window.ts'

export const tools = ['look', 'window', 'pan'] as const
export type Tool = (typeof tools)[number]

const sliceTypes = {
  three: SLICE_TYPE.MULTIPLANAR,
  axial: SLICE_TYPE.AXIAL,
  coronal: SLICE_TYPE.CORONAL,
  sagittal: SLICE_TYPE.SAGITTAL,
} as const
/** Across which axis a plane is scrolled. */
const axes = { axial: 2, coronal: 1, sagittal: 0 } as const
const dragModes = {
  look: DRAG_MODE.crosshair,
  window: DRAG_MODE.windowing,
  pan: DRAG_MODE.pan,
} as const
const ZOOM = { least: 0.5, most: 20 }

/** The slices of a plane, counted from 0 towards the right, the front or the head. */
type Slices = { plane: FlatPlane; count: number; value: number; go: (slice: number) => void }

type VolumeOptions = {
  /** The file: NIfTI, packed or not. */
  bytes: ArrayBuffer
  facts: ImageFacts
  /** How it is first shown. */
  start: ImageView
  onLost: (() => void) | undefined
}

/** Draws a NIfTI image on a canvas and keeps what is chosen about it: plane, tool, window, slice, point in time. */
export function useVolume(
  canvas: RefObject<HTMLCanvasElement | null>,
  { bytes, facts, start, onLost }: VolumeOptions,
) {
  const viewer = useRef<Niivue | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [plane, setPlane] = useState<Plane>(
    facts.layout === 'volume' ? (start.plane ?? 'three') : planeOf(facts),
  )
  /** Whether the browser draws with the graphics card at all. */
  const [hasGraphics, setHasGraphics] = useState(true)
  const [tool, setTool] = useState<Tool>('look')
  const [frame, setFrame] = useState(Math.min(start.frame, facts.size[3] - 1))
  const [place, setPlace] = useState<UnderCross>({ voxel: [0, 0, 0], millimetres: [], value: null })
  const [panes, setPanes] = useState<readonly Pane[]>([])
  const [sides, setSides] = useState<readonly number[]>([1, 1, 1])
  const [window, setWindow] = useState<Window>(() => (start.window ? [...start.window] : firstWindow(facts)))
  const first = useRef({ bytes, facts, window, start })
  const hasPlace = facts.orientation !== null && facts.spacing !== null
  const sight = useRef<Sight | null>(null)
  /** Heard before the image was drawn. */
  const waiting = useRef<Looked | null>(null)
  const span = facts.range ? facts.range.max - facts.range.min : 0
  const tell = useViewLink({
    hasPlace: facts.size[2] > 1 || hasPlace ? hasPlace : null,
    onTold: ({ sight: looked, window: seen, plane: flat, frame: time }) => {
      if (seen && facts.channels === 1 && isOfSameScale(span, seen)) takeWindow(seen.ends)
      if (flat && facts.layout === 'volume') takePlane(flat)
      if (time !== undefined) takeFrame(Math.min(time, facts.size[3] - 1))
      const drawn = viewer.current
      if (drawn && looked) sight.current = lookedAt(drawn, looked, { sides, hasPlace })
      else if (looked) waiting.current = looked
    },
  })
  const takeWindow = useToldValue(
    window,
    useCallback((ends: Window) => tell({ window: { ends, span } }), [tell, span]),
    setWindow,
  )
  const takePlane = useToldValue(
    plane,
    useCallback((flat: Plane) => tell({ plane: flat }), [tell]),
    setPlane,
  )
  const takeFrame = useToldValue(
    frame,
    useCallback((time: number) => tell({ frame: time }), [tell]),
    setFrame,
  )
  /** What was moved on the canvas itself; what was heard is known already. */
  const tellSight = useRef<(drawn: Niivue) => void>(() => undefined)
  useEffect(() => {
    tellSight.current = (drawn) => {
      const now = sightOf(drawn, { sides, hasPlace })
      const before = sight.current
      sight.current = now
      if (before && before.text !== now.text) tell({ sight: now.looked })
    }
  })

  useEffect(() => {
    if (!canvas.current) return
    let isGone = false
    const { bytes: packed, facts: known, window: seen, start: wanted } = first.current
    const drawn = makeViewer()
    drawn.onLocationChange = (location) => !isGone && setPlace(placeOf(location))
    // Dragged with the mouse: the slider follows.
    drawn.onIntensityChange = ({ cal_min = 0, cal_max = 1 }) => !isGone && setWindow([cal_min, cal_max])
    drawn
      .attachToCanvas(canvas.current)
      .then(() => drawn.loadFromArrayBuffer(packed, 'volume.nii.gz'))
      .then(() => {
        if (isGone) return
        const [image] = drawn.volumes
        if (image && known.channels === 1) [image.cal_min, image.cal_max] = seen
        // As radiographs often are: the highest value is black.
        if (image) image.colormapInvert = known.photometric === 'MONOCHROME1'
        drawn.updateGLVolume()
        const count = image?.dimsRAS?.slice(1, 4) ?? [1, 1, 1]
        setSides(count)
        if (wanted.voxel) drawn.scene.crosshairPos = fractionsOf(wanted.voxel, count)
        if (wanted.pan) drawn.setPan2Dxyzmm([...wanted.pan])
        drawn.createOnLocationChange()
        tellPanes(drawn, (now) => {
          if (isGone) return
          setPanes(now)
          tellSight.current(drawn)
        })
        viewer.current = drawn
        setState('ready')
      })
      .catch(() => {
        // Without WebGL 2, or when the image is larger than the graphics memory.
        if (isGone) return
        setHasGraphics(drawn._gl !== null)
        setState('failed')
      })
    return () => {
      isGone = true
      viewer.current = null
      drawn.cleanup()
    }
  }, [canvas])

  useEffect(() => {
    const drawn = viewer.current
    if (state !== 'ready' || !drawn || !waiting.current) return
    sight.current = lookedAt(drawn, waiting.current, { sides, hasPlace })
    waiting.current = null
  }, [state, sides, hasPlace])

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
  useTouch(canvas, { zoom, isDragged: tool === 'pan', isWheelZoom: tool === 'pan' })

  const goToVoxel = useCallback(
    (change: (voxel: readonly number[]) => readonly number[]) => {
      const drawn = viewer.current
      if (!drawn) return
      const now = Array.from(drawn.scene.crosshairPos, (part, at) => Math.floor(part * (sides[at] ?? 1)))
      drawn.scene.crosshairPos = fractionsOf(change(now), sides)
      drawn.createOnLocationChange()
      drawn.drawScene()
    },
    [sides],
  )
  const surface = useMemo((): Surface | null => {
    const image = state === 'ready' ? viewer.current?.volumes[0] : undefined
    if (!image) return null
    return {
      panes: panes.map((pane) => ({ ...pane, place: { ...pane.place, frame } })),
      gridOf: (at) => gridOf(image, facts, at),
      orderOf: (at) => orderOf(image, at),
    }
  }, [panes, frame, facts, state])
  const slicesOf = (flat: FlatPlane): Slices => {
    const axis = axes[flat]
    const count = sides[axis] ?? 1
    return {
      plane: flat,
      count,
      value: place.voxel[axis] ?? 0,
      go: (next) => {
        if (next < 0 || next >= count) return
        goToVoxel((voxel) => voxel.map((part, at) => (at === axis ? next : part)))
      },
    }
  }
  const flat = plane === 'three' ? planeOf(facts) : plane
  return {
    state,
    hasGraphics,
    plane,
    setPlane,
    tool,
    setTool,
    frame,
    setFrame,
    /** Of the plane shown; of three, of the one in which the image was taken. */
    slices: slicesOf(flat),
    /** Of each plane shown. */
    along: (plane === 'three' ? flatPlanes : [flat]).map(slicesOf),
    window,
    setWindow,
    /** Where the cross stands, and what lies there. */
    under: place,
    zoom,
    surface,
    /** Shows the slice on which something was measured. */
    goToPlace: ({ plane: wanted, slice, frame: time }: Place) => {
      if (plane !== 'three' && plane !== wanted) setPlane(wanted)
      if (time !== frame) setFrame(time)
      goToVoxel((voxel) => voxel.map((part, at) => (at === axes[wanted] ? slice : part)))
    },
    /** For an address; how a volume is looked at, less what was measured. */
    look: (): Pick<ImageView, 'plane' | 'voxel' | 'frame' | 'window' | 'pan'> => {
      const [x = 0, y = 0, z = 0, by = 1] = viewer.current?.scene.pan2Dxyzmm ?? []
      const [i = 0, j = 0, k = 0] = place.voxel
      const isFirst = window.every((end, at) => end === firstWindow(facts)[at])
      return {
        plane: facts.layout === 'volume' ? plane : null,
        voxel: [i, j, k],
        frame,
        window: isFirst ? null : window,
        pan: x === 0 && y === 0 && z === 0 && by === 1 ? null : [x, y, z, by],
      }
    },
    reset: () => {
      viewer.current?.setPan2Dxyzmm([0, 0, 0, 1])
      setWindow(firstWindow(facts))
    },
  }
}

/** Whenever it draws: the library tells nobody, and marks have to follow. */
function tellPanes(drawn: Niivue, tell: (panes: readonly Pane[]) => void): void {
  const draw = drawn.drawScene.bind(drawn)
  let before = ''
  drawn.drawScene = () => {
    const told = draw()
    const panes = panesOf(drawn)
    const now = JSON.stringify(panes)
    if (now !== before) tell(panes)
    before = now
    return told
  }
  drawn.drawScene()
}

function makeViewer(): Niivue {
  return new Niivue({
    dragAndDropEnabled: false,
    backColor: [0, 0, 0, 1],
    // The page draws the cross and the letters: the library's lines can fall between pixels, its letters be overlooked.
    crosshairWidth: 0,
    show3Dcrosshair: false,
    // Three planes are three planes; the room of a fourth view goes to them.
    multiplanarShowRender: SHOW_RENDER.NEVER,
    multiplanarPadPixels: 4,
    isColorbar: false,
    isNearestInterpolation: true,
    isRadiologicalConvention: true,
    isOrientationTextVisible: false,
    loadingText: '',
    logLevel: 'silent',
    // Keys are the page's: V leads measuring from plane to plane, and must not turn the planes meanwhile.
    viewModeHotKey: '',
    clipPlaneHotKey: '',
    cycleClipPlaneHotKey: '',
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

function placeOf(location: unknown): UnderCross {
  if (typeof location !== 'object' || location === null) return { voxel: [], millimetres: [], value: null }
  const voxel = 'vox' in location && isNumbers(location.vox) ? Array.from(location.vox, Math.round) : []
  const millimetres = 'mm' in location && isNumbers(location.mm) ? Array.from(location.mm) : []
  const [first]: unknown[] = 'values' in location && Array.isArray(location.values) ? location.values : []
  const value =
    typeof first === 'object' && first !== null && 'value' in first && typeof first.value === 'number'
      ? first.value
      : null
  return { voxel, millimetres, value }
}

const isNumbers = (value: unknown): value is Iterable<number> =>
  Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array
