import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RulesDrawer } from './rules.tsx'
import styles from './shop.module.css'

type Props = { isAgreed: boolean; problem: string | null; onChange: (isAgreed: boolean) => void }

/** The rules must be agreed to, and can be read at once. */
export function RulesCheck({ isAgreed, problem, onChange }: Props) {
  const { t } = useTranslation('shop')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.field}>
      <span className={styles.line}>
        <Checkbox checked={isAgreed} onChange={({ target }) => onChange(target.checked)}>
          {t('rules.accept')}
        </Checkbox>
        <Button type="link" onClick={() => setOpen(true)}>
          {t('rules.read')}
        </Button>
      </span>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {isOpen && <RulesDrawer onClose={() => setOpen(false)} />}
    </div>
  )
}
