import { useTranslation } from 'react-i18next'
import { uploads } from '../../features/files/upload/uploads.ts'
import { NoDatasets } from '../../features/toolbox/no-datasets.tsx'
import { folderName, listsOf } from '../../features/toolbox/split/lists.ts'
import { SplitForm } from '../../features/toolbox/split/split-form.tsx'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'

/** Lists of training, validation and test beside the own data, in the layout that data sets are recognised by. */
export function SplitMaker() {
  const { t } = useTranslation('toolbox')
  const inputs = useInputs()
  const { data, error, refetch } = useCall('datasets/list', { projectId: null }, { quiet: true })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="cards" />
  const ready = data.datasets.filter(({ state }) => state === 'ready')
  if (ready.length === 0) return <NoDatasets />
  return (
    <SplitForm
      datasets={ready}
      inputs={inputs}
      onSave={(folderId, parts) => {
        uploads.add([{ name: folderName, isFolder: true, files: listsOf(parts) }], { parentId: folderId })
        toast.success(t('split.saved'))
      }}
    />
  )
}
