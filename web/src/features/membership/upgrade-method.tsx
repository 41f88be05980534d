import type { PayMethod } from '@neuroloom/contract/membership/orders'
import { Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './upgrade.module.css'

type MethodChoiceProps = {
  methods: readonly PayMethod[]
  chosen: PayMethod | undefined
  onChoose: (method: PayMethod) => void
}

export function MethodChoice({ methods, chosen, onChoose }: MethodChoiceProps) {
  const { t } = useTranslation('membership')
  return (
    <div className={styles.line}>
      <span id="pay-method">{t('upgrade.method')}</span>
      <Radio.Group
        aria-labelledby="pay-method"
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
        options={methods.map((value) => ({ value, label: t(`upgrade.methods.${value}`) }))}
      />
    </div>
  )
}
