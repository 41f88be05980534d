import { labelFormats } from '@neuroloom/contract/labelling/label-formats'
import { useTranslation } from 'react-i18next'

/** Every format in which labels come in and leave, as the dialogs of a set name them. */
export function LabelFormats() {
  const { t } = useTranslation('label-exchange')
  return (
    <ul>
      {labelFormats.map((format) => (
        <li key={format}>{t(`format.${format}`)}</li>
      ))}
    </ul>
  )
}
