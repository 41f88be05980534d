import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'

type Named = Pick<Run, 'network' | 'ownNetwork'> & Partial<Pick<Run, 'tool'>>

/** What a run's network is called: a drawn one as it was called when the run started, with its version; one inside a tool as the tool. */
export function useNetworkOf(networkName: (network: string) => string): (run: Named) => string {
  const { t } = useTranslation('runs')
  return ({ network, ownNetwork, tool }) => {
    if (tool) return t('run.tool', { name: tool })
    // 4D flow is computed without one.
    if (network === '') return ''
    return ownNetwork === null ? networkName(network) : t('run.ownNetwork', ownNetwork)
  }
}
