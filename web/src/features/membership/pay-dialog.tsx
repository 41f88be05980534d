import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './upgrade.module.css'
import { UpgradePay } from './upgrade-pay.tsx'
import type { Payable } from './use-upgrade.ts'

type Props = { order: Payable; onPaid: () => void; onAgain: () => void; onClose: () => void }

/** The code of an order, whatever of; what being paid means is the caller's. */
export function PayDialog({ order, onPaid, onAgain, onClose }: Props) {
  const { t } = useTranslation('membership')
  return (
    <Modal
      open
      centered
      title={t('upgrade.payTitle')}
      footer={null}
      className={styles.dialog ?? ''}
      onCancel={onClose}
    >
      <UpgradePay order={order} onPaid={onPaid} onAgain={onAgain} onClose={onClose} />
    </Modal>
  )
}
