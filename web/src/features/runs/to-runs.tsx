import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../ui/button.tsx'

/** The way on from a page that was opened without the training or test that it is about. */
export function ToRuns() {
  const { t } = useTranslation('common')
  return <ButtonLink to="/run">{t('failure.to.runs')}</ButtonLink>
}
