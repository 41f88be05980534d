import type { Answer } from '@neuroloom/contract/calls'
import { useCall } from '../../../lib/query.ts'

/** The computer that trains; undefined until the server has told. */
export function useDevice(): Answer<'runs/device'> | undefined {
  const { data } = useCall('runs/device', {}, { quiet: true, staleTime: 60_000 })
  return data
}
