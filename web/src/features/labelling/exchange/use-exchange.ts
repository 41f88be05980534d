import type { Exchange } from '@neuroloom/contract/labelling/exchange'
import { useCall } from '../../../lib/query.ts'

const isOpen = ({ state }: Exchange): boolean => state === 'looking' || state === 'working'

/** While it is under way, looked at again each second. */
const SECOND_MS = 1000

/** One import or export of a set, as far as it has come; undefined until one was begun. */
export function useExchange(setId: string, id: string | null): Exchange | undefined {
  const { data } = useCall(
    'labelling/exchanges',
    { id: setId },
    {
      quiet: true,
      enabled: id !== null,
      refetchInterval: ({ state }) =>
        state.data?.exchanges.some((one) => one.id === id && isOpen(one)) === false ? false : SECOND_MS,
    },
  )
  return data?.exchanges.find((one) => one.id === id)
}
