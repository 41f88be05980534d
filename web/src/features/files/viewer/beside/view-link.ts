/** Images that are moved together: what one of them shows is told to the others. Draws nothing. */
import type { Plane } from '@neuroloom/contract/image-view'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import type { Window } from '../window.ts'

type Triple = readonly [number, number, number]

/** Where a volume is looked at. */
export type Looked = {
  /** Under the cross: in millimetres where the file says how it lies, and as a voxel. */
  cross: { millimetres: Triple | null; voxel: Triple }
  /** Moved by so many millimetres, and how many times as large. */
  pan: { by: Triple; zoom: number }
}

/** `span`: how far the values of its image reach. */
export type ToldWindow = { ends: Window; span: number }

/** A window of Hounsfield units says nothing of a mask from 0 to 2. */
export function isOfSameScale(own: number, { span }: ToldWindow): boolean {
  return own > 0 && span > 0 && own / span < SCALE && span / own < SCALE
}

const SCALE = 5

/** Each part alone may be told; what is left out stays as it is. */
export type Told = {
  /** What lies in the middle as shares of width and height, and how many times as large as fitted. */
  part?: { middle: readonly [x: number, y: number]; by: number }
  sight?: Looked
  window?: ToldWindow
  plane?: Plane
  frame?: number
}

/** How the slices of images are matched. */
export type Matched = 'millimetres' | 'number'

export type ViewLink = {
  tell: (from: object, told: Told) => void
  hear: (own: object, listener: (told: Told) => void) => () => void
  /** Whether the image says how it lies; null = it has but one slice. */
  join: (own: object, hasPlace: boolean | null) => () => void
}

/** `isOn` is asked at each move. `tellMatched`: as images come and go; null where fewer than two have slices. */
export function makeLink(isOn: () => boolean, tellMatched: (matched: Matched | null) => void): ViewLink {
  const listeners = new Map<object, (told: Told) => void>()
  const places = new Map<object, boolean | null>()
  const match = (): void => {
    const sliced = [...places.values()].filter((has) => has !== null)
    const isPlaced = sliced.every((has) => has)
    tellMatched(sliced.length < 2 ? null : isPlaced ? 'millimetres' : 'number')
  }
  return {
    tell(from, told) {
      if (!isOn()) return
      for (const [own, listener] of listeners) if (own !== from) listener(told)
    },
    hear(own, listener) {
      listeners.set(own, listener)
      return () => listeners.delete(own)
    },
    join(own, hasPlace) {
      places.set(own, hasPlace)
      match()
      return () => {
        places.delete(own)
        match()
      }
    },
  }
}

/** Null where an image stands alone. */
export const ViewLinkContext = createContext<ViewLink | null>(null)

/** Tells others how this image is moved, and hears how they are. */
export function useViewLink({
  hasPlace,
  onTold,
}: {
  hasPlace: boolean | null
  onTold: (told: Told) => void
}): (told: Told) => void {
  const link = useContext(ViewLinkContext)
  const own = useMemo(() => ({}), [])
  const latest = useRef(onTold)
  useEffect(() => {
    latest.current = onTold
  })
  useEffect(() => link?.hear(own, (told) => latest.current(told)), [link, own])
  useEffect(() => link?.join(own, hasPlace), [link, own, hasPlace])
  return useMemo(() => (told: Told) => link?.tell(own, told), [link, own])
}

/** Tells a value when it is changed here, not when it was heard; answers with what takes over a heard one. */
export function useToldValue<Value>(
  value: Value,
  tell: (value: Value) => void,
  set: (value: Value) => void,
): (heard: Value) => void {
  const known = useRef(value)
  useEffect(() => {
    if (value === known.current) return
    known.current = value
    tell(value)
  }, [value, tell])
  return (heard) => {
    known.current = heard
    set(heard)
  }
}
