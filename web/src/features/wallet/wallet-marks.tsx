import type { WalletStatus } from '@neuroloom/contract/membership/payout'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../ui/state-mark.tsx'

const marks: Record<WalletStatus, ComponentProps<typeof StateMark>['state']> = {
  under_review: 'waiting',
  not_recorded: 'waiting',
  recorded: 'done',
  not_passed: 'failed',
}

export function WalletMark({ status }: { status: WalletStatus }) {
  const { t } = useTranslation('wallet')
  return <StateMark state={marks[status]} text={t(`status.${status}`)} />
}
