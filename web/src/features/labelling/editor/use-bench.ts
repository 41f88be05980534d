/** The bench of the editor around a component, and what is chosen on it. */
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { Bench } from '../tools/bench.ts'
import type { Desk } from '../tools/desk.ts'

const Around = createContext<Bench | null>(null)
export const BenchProvider = Around.Provider

export function useBench(): Bench {
  const bench = useContext(Around)
  if (!bench) throw new Error('no bench around')
  return bench
}

export const useDesk = <Chosen>(choose: (desk: Desk) => Chosen): Chosen => useStore(useBench().desk, choose)
