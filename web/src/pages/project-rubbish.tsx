import { useTranslation } from 'react-i18next'
import { RecycledProjects } from '../features/projects/recycled-projects.tsx'
import { RecycledRuns } from '../features/runs/recycled-runs.tsx'
import { leftAt } from '../lib/last-tab.ts'
import { Page, PageHeader } from '../ui/page.tsx'

/** The recycle station of projects and of their trainings, tests and predictions. */
export function ProjectRubbish() {
  const { t } = useTranslation('projects')
  return (
    <Page>
      <PageHeader
        title={t('rubbish.title')}
        back={{ to: leftAt('/projectHome'), label: t('title') }}
        name={`${t('rubbish.title')} · ${t('title')}`}
      />
      <RecycledProjects />
      <RecycledRuns />
    </Page>
  )
}
