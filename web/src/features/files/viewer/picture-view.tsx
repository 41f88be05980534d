import { WarningOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import styles from './viewer.module.css'

/** A picture, as large as there is room; a click shows it pixel by pixel, and back. */
export function PictureView({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation('files')
  const [isWhole, setIsWhole] = useState(true)
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken)
    return (
      <EmptyState icon={<WarningOutlined aria-hidden />} title={t('view.broken')} text={t('cannotShow')} />
    )
  return (
    <button
      type="button"
      className={styles.picture}
      data-whole={isWhole}
      title={t(isWhole ? 'view.realSize' : 'view.fit')}
      onClick={() => setIsWhole(!isWhole)}
    >
      <img src={url} alt={name} onError={() => setIsBroken(true)} />
    </button>
  )
}
