import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'

type Named = Pick<Run, 'network' | 'ownNetwork'>

/** What a run's network is called: a drawn one as it was called when the run started, with its version. */
export function useNetworkOf(networkName: (network: string) => string): (run: Named) => string {
  const { t } = useTranslation('runs')
  return ({ network, ownNetwork }) =>
    ownNetwork === null ? networkName(network) : t('run.ownNetwork', ownNetwork)
}
