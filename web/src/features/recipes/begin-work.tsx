import { files as limits } from '@neuroloom/contract/limits'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './recipes.module.css'

type BeginWorkProps = {
  /** What the new folder is called unless somebody says otherwise. */
  proposed: string
  label: string
  isReady: boolean
  isPending: boolean
  /** What is said below the button. */
  text?: string
  onBegin: (name: string) => void
}

/** What the folder of the results is called, and the button that begins the work. */
export function BeginWork({ proposed, label, isReady, isPending, text, onBegin }: BeginWorkProps) {
  const { t } = useTranslation('recipes')
  const field = useId()
  const [name, setName] = useState(proposed)
  return (
    <>
      <div className={styles.begin}>
        <div className={styles.field} data-wide>
          <label htmlFor={field}>{t('start.name')}</label>
          <Input
            id={field}
            value={name}
            maxLength={limits.nameLength}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <Button
          type="primary"
          size="large"
          disabled={!isReady || name.trim() === ''}
          loading={isPending}
          onClick={() => onBegin(name.trim())}
        >
          {label}
        </Button>
      </div>
      <p className={styles.soft}>{text ?? t('start.text')}</p>
    </>
  )
}
