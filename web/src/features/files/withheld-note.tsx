import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'

/** How many files of a folder are not given along; their names may be their patients' and are not told. */
export function WithheldNote({ count }: { count: number }) {
  const { t } = useTranslation('files')
  if (count === 0) return null
  return <Alert type="info" showIcon title={t('withheld', { count, shown: formatNumber(count) })} />
}
