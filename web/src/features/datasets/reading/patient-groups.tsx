import type { PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Cover } from '../../../ui/pictures/cover.tsx'
import styles from './patients.module.css'

type Props = { datasetId: string; rule: PatientRule }

/** A few patients with some of their images, as a rule tells them apart, and images that stand alone. */
export function PatientGroups({ datasetId, rule }: Props) {
  const { t } = useTranslation('reading')
  const { data } = useCall('datasets/patients', { id: datasetId, rule }, { quiet: true, keepPrevious: true })
  if (!data) return null
  const patients = [...new Set(data.samples.map(({ patient }) => patient))]
  return (
    <span className={styles.groups}>
      {patients.map((patient) => (
        <span key={patient} className={styles.group}>
          <strong>{patient ?? t('standsAlone')}</strong>
          {data.samples
            .filter((sample) => sample.patient === patient)
            .map(({ name, image }) => (
              <span key={name} className={styles.image}>
                <Cover url={image ?? undefined} />
                {name}
              </span>
            ))}
        </span>
      ))}
    </span>
  )
}
