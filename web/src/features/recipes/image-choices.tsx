import type { Tried } from '@neuroloom/contract/recipes/recipes'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './recipes.module.css'
import { saysMask } from './steps.ts'

/** From the names of the folders; the member may know better. */
export const likelyMasks = ({ folders }: Tried): string[] =>
  folders.length > 1 ? folders.filter(({ path }) => saysMask(path)).map(({ id }) => id) : []

type DicomProps = { value: 'pictures' | 'volumes'; onChange: (value: 'pictures' | 'volumes') => void }

export function DicomChoice({ value, onChange }: DicomProps) {
  const { t } = useTranslation('recipes')
  const field = useId()
  return (
    <div className={styles.field} data-wide>
      <label htmlFor={field}>{t('dicom.label')}</label>
      <Select
        id={field}
        value={value}
        options={(['pictures', 'volumes'] as const).map((one) => ({ value: one, label: t(`dicom.${one}`) }))}
        onChange={onChange}
      />
    </div>
  )
}

type MaskProps = { tried: Tried; maskIds: string[]; onChange: (ids: string[]) => void }

/** Masks are resized by the nearest value and keep their numbers, so it must be known which they are. */
export function MaskChoice({ tried, maskIds, onChange }: MaskProps) {
  const { t } = useTranslation('recipes')
  const field = useId()
  return (
    <div className={styles.field} data-wide>
      <label htmlFor={field}>{t('masks.label')}</label>
      <Select
        id={field}
        mode="multiple"
        value={maskIds}
        placeholder={t('masks.none')}
        options={tried.folders.map(({ id, path, images }) => ({
          value: id,
          label: `${path === '' ? t('masks.this') : path} (${images})`,
        }))}
        onChange={onChange}
      />
      <span className={styles.soft}>{t('masks.text')}</span>
    </div>
  )
}
