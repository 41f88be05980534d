import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { looks, setLook, useLook } from '../hooks/use-look.ts'

/** Light, dark, or as the system has it. */
export function LookChoice() {
  const { t } = useTranslation('common')
  return (
    <Segmented
      aria-label={t('look.label')}
      value={useLook()}
      options={looks.map((look) => ({ value: look, label: t(`look.${look}`) }))}
      onChange={setLook}
    />
  )
}
