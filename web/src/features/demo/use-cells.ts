import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Network, startNetwork } from './network.ts'
import { type Cell, FIRST_NEW_SEED, hasRoom, render, SIZE, someCell, someField } from './pictures.ts'
import { countRegions } from './regions.ts'

/** What the network said of the newest picture that it has seen. */
export type Found = { probabilities: Float32Array; count: number; milliseconds: number }

/** The picture on the canvas and the network that looks at it. */
export function useCells() {
  const [field, setField] = useState(() => someField(freshSeed()))
  const [found, setFound] = useState<Found | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const network = useRef<Network | null>(null)
  const pixels = useMemo(() => render(field), [field])

  useEffect(() => {
    const started = startNetwork({
      onAnswer: ({ probabilities, milliseconds }) =>
        setFound({ probabilities, milliseconds, count: countRegions(probabilities, SIZE) }),
      onFailure: () => setFailed(true),
    })
    network.current = started
    return () => started.end()
  }, [])

  useEffect(() => network.current?.ask(pixels), [pixels])

  const add = useCallback((places: Place[]) => {
    setField(({ cells, ...rest }) => ({
      ...rest,
      cells: [...cells, ...places.map((place) => someCell(Math.random, place))],
    }))
  }, [])

  const addAnywhere = useCallback(() => {
    setField(({ cells, ...rest }) => ({ ...rest, cells: [...cells, cellWithRoom(cells)] }))
  }, [])

  const renew = useCallback(() => {
    setFound(null)
    setField(someField(freshSeed()))
  }, [])

  return { pixels, found, hasFailed, add, addAnywhere, renew }
}

export type Place = { x: number; y: number }

/** Of the many that the network was not trained on. */
const freshSeed = (): number => FIRST_NEW_SEED + Math.floor(Math.random() * 2 ** 31)

/** Clear of the others and of the border while there is room. */
function cellWithRoom(cells: Cell[]): Cell {
  const margin = 20
  const anywhere = () => margin + (SIZE - 2 * margin) * Math.random()
  const candidates = Array.from({ length: 60 }, () => someCell(Math.random, { x: anywhere(), y: anywhere() }))
  return (
    candidates.find((cell) => hasRoom(cell, cells)) ?? someCell(Math.random, { x: anywhere(), y: anywhere() })
  )
}
