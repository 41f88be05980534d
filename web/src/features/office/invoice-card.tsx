import { CopyOutlined } from '@ant-design/icons'
import type { OfficeInvoice } from '@neuroloom/contract/membership/orders'
import { Button } from 'antd'
import type { TFunction } from 'i18next'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy-text.ts'
import { levelName } from '../../lib/level-names.ts'
import { toast } from '../../lib/toast.ts'
import { Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { invoiceFacts } from './invoice-facts.ts'
import styles from './office.module.css'
import { InvoiceMark } from './state-marks.tsx'

const InvoiceDialog = lazyPart(async () => (await import('./invoice-dialog.tsx')).InvoiceDialog, {
  over: true,
})

/** One invoice: all that it needs, to be copied, and the decision. */
export function InvoiceCard({ invoice }: { invoice: OfficeInvoice }) {
  const { t } = useTranslation(['office', 'levels'])
  const title = useId()
  const [asked, setAsked] = useState<'issued' | 'refused' | null>(null)
  const { account, nickName } = invoice.member
  const member = account === '' ? t('order.accountGone') : `${nickName} (${account})`
  const facts = [goodsOf(invoice, t), ...invoiceFacts(invoice, t)]
  const handleCopy = async () => {
    const lines = facts.map(([name, value]) => t('invoices.line', { name, value }))
    if (await copyText(lines.join('\n'))) toast.success(t('invoices.copied'))
    else toast.error(t('invoices.notCopied'))
  }
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{invoice.title}</h2>
        <InvoiceMark state={invoice.state} />
      </header>
      <Facts facts={[[t('order.number'), invoice.orderNo], [t('order.member'), member], ...facts]} />
      <div className={styles.actions}>
        {invoice.state === 'asked' && (
          <>
            <Button type="primary" onClick={() => setAsked('issued')}>
              {t('issue.open')}
            </Button>
            <Button onClick={() => setAsked('refused')}>{t('refuse.open')}</Button>
          </>
        )}
        <Button icon={<CopyOutlined aria-hidden />} onClick={() => void handleCopy()}>
          {t('invoices.copy')}
        </Button>
      </div>
      <Suspense>
        {asked && <InvoiceDialog invoice={invoice} decision={asked} onClose={() => setAsked(null)} />}
      </Suspense>
    </article>
  )
}

function goodsOf(
  { model, work, custom, level }: OfficeInvoice,
  t: TFunction<['office', 'levels']>,
): [string, string] {
  if (model !== null) return [t('order.model'), model]
  if (work !== null) return [t('order.work'), work]
  if (custom !== null) return [t('order.custom'), custom]
  return [t('order.plan'), t(`levels:${levelName(level)}`)]
}
