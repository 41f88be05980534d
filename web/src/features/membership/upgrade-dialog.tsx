/** Plans, what they cost today, and paying one: 780 wide (specification, section 9). */
import { Modal } from 'antd'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import styles from './upgrade.module.css'
import { type AgreementProps, UpgradeChoice } from './upgrade-choice.tsx'
import { UpgradePay } from './upgrade-pay.tsx'
import { useFreshMember } from './use-fresh-member.ts'
import type { Payable } from './use-upgrade.ts'

type UpgradeDialogProps = {
  Agreement: ComponentType<AgreementProps>
  /** An order that waits: its code is shown at once. */
  order?: Payable | null
  onClose: () => void
}

const WIDTH = 780

export function UpgradeDialog({ Agreement, order = null, onClose }: UpgradeDialogProps) {
  const { t } = useTranslation('membership')
  const [paying, setPaying] = useState<Payable | null>(order)
  const refresh = useFreshMember()
  const handleDone = () => {
    toast.success(t('upgrade.done'))
    void refresh()
    onClose()
  }
  return (
    <Modal
      open
      centered
      width={WIDTH}
      title={t(paying ? 'upgrade.payTitle' : 'upgrade.title')}
      footer={null}
      className={styles.dialog ?? ''}
      onCancel={onClose}
    >
      {paying ? (
        <UpgradePay
          key={paying.orderNo}
          order={paying}
          onPaid={handleDone}
          onAgain={() => setPaying(null)}
          onClose={onClose}
        />
      ) : (
        <UpgradeChoice Agreement={Agreement} onOrdered={setPaying} onGiven={handleDone} onClose={onClose} />
      )}
    </Modal>
  )
}
