import { FolderOpenOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** A page of one project, opened without saying which. */
export function ChooseProject() {
  const { t } = useTranslation('runs')
  return (
    <EmptyState
      icon={<FolderOpenOutlined aria-hidden />}
      title={t('project.choose')}
      text={t('project.chooseText')}
      action={<ButtonLink to="/projectHome">{t('project.toAll')}</ButtonLink>}
    />
  )
}
