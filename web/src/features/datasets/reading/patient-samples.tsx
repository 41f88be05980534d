import type { PatientOrigin } from '@neuroloom/contract/reading/patient-rule'
import { useTranslation } from 'react-i18next'
import styles from './patients.module.css'

/** Names with whom they were told to come from. */
export function PatientSamples({ samples }: { samples: PatientOrigin['samples'] }) {
  const { t } = useTranslation('reading')
  return (
    <ul className={styles.samples}>
      {samples.map(({ name, patient }) => (
        <li key={name}>
          <span>{name}</span>
          <strong>{patient ?? t('standsAlone')}</strong>
        </li>
      ))}
    </ul>
  )
}
