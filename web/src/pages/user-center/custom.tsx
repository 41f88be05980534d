import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Payable } from '../../features/custom/pay-task-dialog.tsx'
import { refreshPaths } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

export const OwnCode = lazyPart(async () => (await import('../../features/custom/code/own-code.tsx')).OwnCode)
const OwnTasks = lazyPart(async () => (await import('../../features/custom/own-tasks.tsx')).OwnTasks)
const PayTaskDialog = lazyPart(
  async () => (await import('../../features/custom/pay-task-dialog.tsx')).PayTaskDialog,
  { over: true },
)
const InvoiceFields = lazyPart(
  async () => (await import('../../features/membership/upgrade-invoice.tsx')).InvoiceFields,
  { over: true },
)
const PayDialog = lazyPart(async () => (await import('../../features/membership/pay-dialog.tsx')).PayDialog, {
  over: true,
})

/** Custom tasks, and paying one like everything that is ordered. */
export function PrivateCustomisation() {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const [task, setTask] = useState<CustomTask | null>(null)
  const [order, setOrder] = useState<Payable | null>(null)
  const handlePaid = () => {
    toast.success(t('customPaid'))
    refreshPaths(queries, ['customTask/list', 'customTask/detail', 'payment/orders'])
    setOrder(null)
    setTask(null)
  }
  const close = () => {
    setOrder(null)
    setTask(null)
  }
  return (
    <>
      <OwnTasks onPay={setTask} />
      <Suspense>
        {task && !order && (
          <PayTaskDialog task={task} Invoice={InvoiceFields} onOrdered={setOrder} onClose={close} />
        )}
        {order && (
          <PayDialog order={order} onPaid={handlePaid} onAgain={() => setOrder(null)} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
