import { flowVendorNames } from '@neuroloom/contract/flow/named'
import { useTranslation } from 'react-i18next'
import { formatNames, type Source, type Vendor } from '../words.ts'

/** Where a study comes from: "DICOM, Siemens". */
export function useSourceText(): (source: Source | null, vendor?: Vendor | null) => string {
  const { t } = useTranslation('flow')
  return (source, vendor = null) => {
    if (source === null) return t('list.unknownSource')
    if (source === 'phantom' || source === 'sharpened') return t(`source.${source}`)
    return [formatNames[source], ...(vendor === null ? [] : [flowVendorNames[vendor]])].join(', ')
  }
}
