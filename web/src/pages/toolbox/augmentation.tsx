import { useTranslation } from 'react-i18next'
import { NoDatasets } from '../../features/toolbox/no-datasets.tsx'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { Variation } from '../../features/toolbox/variation/variation.tsx'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'

/** What the random changes of a training make of the own images. */
export function AugmentationTool() {
  const { t } = useTranslation('variation')
  const inputs = useInputs()
  const { data, error, refetch } = useCall('datasets/list', { projectId: null }, { quiet: true })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="cards" />
  if (data.datasets.length === 0) return <NoDatasets />
  const ready = data.datasets.filter(({ state }) => state === 'ready')
  if (ready.length === 0) return <EmptyState title={t('notReady')} />
  return <Variation datasets={ready} inputs={inputs} />
}
