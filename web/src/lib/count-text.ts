/** So many pictures, and of how many patients where that is known, in words. */
import { useTranslation } from 'react-i18next'

export function useCountText(): (count: { items: number; cases: number | null }) => string {
  const { t } = useTranslation('runs')
  return ({ items, cases }) => {
    const pictures = t('cross.pictures', { count: items })
    return cases === null
      ? pictures
      : t('cross.both', { pictures, patients: t('cross.patients', { count: cases }) })
  }
}
