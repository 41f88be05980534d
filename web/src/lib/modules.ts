/** Which parts of the product administrators have switched off. The server refuses their calls; pages do not offer them. */
import type { ModuleName } from '@neuroloom/contract/office/modules'
import { useCall } from './query.ts'

/** None until it is known. */
export function useModulesOff(): readonly ModuleName[] {
  const { data } = useCall('setting/public', {}, { quiet: true })
  return data?.off ?? []
}

export const useIsOff = (name: ModuleName): boolean => useModulesOff().includes(name)
