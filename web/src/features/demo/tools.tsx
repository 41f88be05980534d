import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import styles from './demo.module.css'

type Props = {
  isOutlined: boolean
  onOutlined?: (isOutlined: boolean) => void
  onAdd?: () => void
  onRenew?: () => void
}

/** What can be done with the picture without a mouse. */
export function Tools({ isOutlined, onOutlined, onAdd, onRenew }: Props) {
  const { t } = useTranslation('demo')
  return (
    <div className={styles.tools}>
      <Button onClick={onAdd}>{t('add')}</Button>
      <Button look="quiet" onClick={onRenew}>
        {t('renew')}
      </Button>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={isOutlined}
          onChange={(event) => onOutlined?.(event.target.checked)}
        />
        {t('outlines')}
      </label>
    </div>
  )
}
