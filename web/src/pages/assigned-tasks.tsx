import { useTranslation } from 'react-i18next'
import { AssignedTasks as Tasks } from '../features/custom/assigned-tasks.tsx'
import { useCall } from '../lib/query.ts'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { NotFound } from './not-found.tsx'

/** Custom tasks that the signed-in provider works on. A hospital's own server has none. */
export function AssignedTasks() {
  const { t } = useTranslation('custom')
  const { data: setting, isPending } = useCall('setting/public', {}, { quiet: true })
  if (isPending) return <Loading shape="page" />
  if (setting?.host !== 0) return <NotFound isFramed />
  return (
    <Page>
      <PageHeader title={t('assigned.title')} subtitle={t('assigned.text')} />
      <Tasks />
    </Page>
  )
}
