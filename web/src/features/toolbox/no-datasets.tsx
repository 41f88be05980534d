import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'

/** For tools that work on data sets. */
export function NoDatasets() {
  const { t } = useTranslation('toolbox')
  return (
    <EmptyState
      title={t('dataset.none')}
      text={t('dataset.noneText')}
      action={<Link to="/projectHome">{t('predictor.toProjects')}</Link>}
    />
  )
}
