import { membership as limits } from '@neuroloom/contract/limits'
import { parseYuan, yuanText } from '@neuroloom/contract/membership/money'
import {
  type Payee,
  type PayeeField,
  payeeFields,
  payeeProblems,
  payoutMethods,
} from '@neuroloom/contract/membership/payout'
import { Button, Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { newRequestId } from './request-id.ts'
import styles from './wallet.module.css'

type WithdrawDialogProps = { availableFen: number; onClose: () => void }

/** Asks how much is to be paid out, and where to. An administrator sends it after a review. */
export function WithdrawDialog({ availableFen, onClose }: WithdrawDialogProps) {
  const { t } = useTranslation('wallet')
  const [requestId] = useState(newRequestId)
  const [amount, setAmount] = useState('')
  const [payee, setPayee] = useState<Payee>({ method: 'alipay', name: '', bank: '', account: '' })
  const withdraw = useAction('wallet/withdraw', {
    refresh: ['wallet/balance', 'wallet/records'],
    quiet: true,
    onDone: () => toast.success(t('withdraw.done')),
  })
  const amountFen = parseYuan(amount)
  const problem = amountProblem(amountFen, availableFen)
  const problems = payeeProblems(payee)
  const isIncomplete = amountFen === null || problem !== null || Object.keys(problems).length > 0
  const save = () => withdraw.mutateAsync({ requestId, amountFen: amountFen ?? 0, ...payee })
  return (
    <SaveDialog
      title={t('withdraw.title')}
      saveLabel={t('withdraw.save')}
      width={520}
      isDisabled={isIncomplete}
      onSave={save}
      onClose={onClose}
    >
      <p>{t('withdraw.text')}</p>
      <div className={styles.form}>
        <AmountField
          text={amount}
          availableFen={availableFen}
          problem={amount.trim() === '' ? null : problem}
          onText={setAmount}
        />
        <span id="payee-method" className={styles.label}>
          {t('payee.method')}
        </span>
        <Radio.Group
          aria-labelledby="payee-method"
          value={payee.method}
          onChange={({ target }) => setPayee({ ...payee, method: target.value })}
          options={payoutMethods.map((value) => ({ value, label: t(`payee.methods.${value}`) }))}
        />
        {payeeFields(payee.method).map((field) => (
          <PayeeInput
            key={field}
            field={field}
            payee={payee}
            problem={payee[field].trim() === '' ? undefined : problems[field]}
            onText={(text) => setPayee({ ...payee, [field]: text })}
          />
        ))}
        {withdraw.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(withdraw.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

type AmountProblem = 'wrong' | 'nothing' | 'tooMuch'

function amountProblem(amountFen: number | null, availableFen: number): AmountProblem | null {
  if (amountFen === null) return 'wrong'
  if (amountFen === 0) return 'nothing'
  return amountFen > availableFen ? 'tooMuch' : null
}

type AmountFieldProps = {
  text: string
  availableFen: number
  problem: AmountProblem | null
  onText: (text: string) => void
}

function AmountField({ text, availableFen, problem, onText }: AmountFieldProps) {
  const { t } = useTranslation('wallet')
  const most = formatFen(availableFen)
  return (
    <>
      <label htmlFor="withdraw-amount">{t('withdraw.amount')}</label>
      <div className={styles.actions}>
        <Input
          id="withdraw-amount"
          className={styles.field ?? ''}
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          suffix={t('withdraw.unit')}
          value={text}
          status={problem === null ? '' : 'error'}
          aria-invalid={problem !== null}
          aria-describedby="withdraw-amount-help"
          onChange={({ target }) => onText(target.value)}
        />
        <Button onClick={() => onText(yuanText(availableFen))}>{t('withdraw.all')}</Button>
      </div>
      <p id="withdraw-amount-help" className={problem === null ? styles.help : styles.problem}>
        {problem === null ? t('withdraw.most', { most }) : t(`withdraw.problem.${problem}`, { most })}
      </p>
    </>
  )
}

type PayeeInputProps = {
  field: PayeeField
  payee: Payee
  problem: ReturnType<typeof payeeProblems>[PayeeField]
  onText: (text: string) => void
}

function PayeeInput({ field, payee, problem, onText }: PayeeInputProps) {
  const { t } = useTranslation('wallet')
  const id = `payee-${field}`
  return (
    <>
      <label htmlFor={id}>
        {t(field === 'account' ? `payee.field.account_${payee.method}` : `payee.field.${field}`)}
      </label>
      <Input
        id={id}
        value={payee[field]}
        maxLength={limits.payeeLength}
        autoComplete="off"
        {...(problem ? { status: 'error', 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {})}
        onChange={({ target }) => onText(target.value)}
      />
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          {t(`payee.problem.${problem}`)}
        </p>
      )}
    </>
  )
}
