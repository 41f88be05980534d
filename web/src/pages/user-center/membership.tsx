import type { Order } from '@neuroloom/contract/membership/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AgreementCheck } from '../../features/accounts/fields/agreement-check.tsx'
import { refreshPaths } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const UpgradeDialog = lazyPart(
  async () => (await import('../../features/membership/upgrade-dialog.tsx')).UpgradeDialog,
  { over: true },
)
const PayDialog = lazyPart(async () => (await import('../../features/membership/pay-dialog.tsx')).PayDialog, {
  over: true,
})
const Section = lazyPart(
  async () => (await import('../../features/membership/membership-section.tsx')).MembershipSection,
)
const OwnOrders = lazyPart(async () => (await import('../../features/membership/own-orders.tsx')).OwnOrders)
export const OwnShop = lazyPart(
  async () => (await import('../../features/shop/selling/own-shop.tsx')).OwnShop,
)
export const MoneyLeft = lazyPart(
  async () => (await import('../../features/wallet/money-left.tsx')).MoneyLeft,
  { over: true },
)
export const OwnWallet = lazyPart(
  async () => (await import('../../features/wallet/own-wallet.tsx')).OwnWallet,
)
export const OwnPoints = lazyPart(
  async () => (await import('../../features/membership/own-points.tsx')).OwnPoints,
)

/** The dialog has an address of its own, so that every message of a limit leads to it. */
export function Membership() {
  const [query, setQuery] = useSearchParams()
  const turn = (isOpen: boolean) => setQuery({ tab: isOpen ? 'upgrade' : 'membership' }, { replace: true })
  return (
    <>
      <Section onUpgrade={() => turn(true)} />
      {query.get('tab') === 'upgrade' && (
        <UpgradeDialog Agreement={AgreementCheck} onClose={() => turn(false)} />
      )}
    </>
  )
}

export function Orders() {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const [paying, setPaying] = useState<Order | null>(null)
  const close = () => setPaying(null)
  const handlePaid = () => {
    toast.success(t(paying?.work ? 'workPaid' : paying?.custom ? 'customPaid' : 'modelPaid'))
    refreshPaths(queries, ['payment/orders', 'shop/held', 'shop/list', 'customTask/list'])
    close()
  }
  return (
    <>
      <OwnOrders onPay={setPaying} />
      {paying?.kind === 'plan' && <UpgradeDialog Agreement={AgreementCheck} order={paying} onClose={close} />}
      {paying && paying.kind !== 'plan' && (
        <PayDialog order={paying} onPaid={handlePaid} onAgain={close} onClose={close} />
      )}
    </>
  )
}
