import type { PatientCounts, PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { useTranslation } from 'react-i18next'

type Counts = Pick<PatientCounts, 'items' | 'patients' | 'single' | 'pattern'> & { rule: PatientRule }

/** Sentences about what a rule tells. */
export function usePatientWords() {
  const { t } = useTranslation('reading')
  /** By what patients are told. */
  const way = ({ rule, pattern }: Pick<Counts, 'rule' | 'pattern'>): string => t(`by.${rule.by}`, { pattern })
  const line = (counts: Counts): string => {
    const pictures = t('pictures', { count: counts.items + counts.single })
    if (counts.patients === 0) return t('lineNobody', { pictures })
    const patients = t('patients', { count: counts.patients })
    const told = t('line', { pictures, patients, by: way(counts) })
    return counts.single === 0 ? told : t('lineAlone', { told, alone: t('alone', { count: counts.single }) })
  }
  return { way, line }
}
