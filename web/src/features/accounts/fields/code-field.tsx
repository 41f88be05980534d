import type { CodePurpose } from '@neuroloom/contract/accounts/sign-up'
import { codes } from '@neuroloom/contract/limits'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { startPuzzling } from '../entrance/proof.ts'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'

type CodeTarget = { areaCode: string; number: string } | { email: string }

type CodeFieldProps = {
  id: string
  value: string
  problem: string | null
  purpose: CodePurpose
  /** Where the code goes. */
  target: CodeTarget
  /** Whether it may be written to; says what is wrong with it where it may not. */
  mayAsk: () => boolean
  onChange: (code: string) => void
  onBlur: () => void
}

/** Six digits from a text message or an e-mail, with the button that asks for them. */
export function CodeField({ id, value, problem, purpose, target, mayAsk, onChange, onBlur }: CodeFieldProps) {
  const { t } = useTranslation('accounts')
  return (
    <Field id={id} label={t('code.label')} problem={problem}>
      <div className={styles.box}>
        <input
          {...describedBy(id, problem)}
          className={styles.input}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={codes.digits}
          placeholder={t('code.hint')}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <span className={styles.beside}>
          <AskButton purpose={purpose} target={target} mayAsk={mayAsk} />
        </span>
      </div>
    </Field>
  )
}

/** Blocked while it sends and for a minute after; free at once when it failed. */
function AskButton({ purpose, target, mayAsk }: Pick<CodeFieldProps, 'purpose' | 'target' | 'mayAsk'>) {
  const { t } = useTranslation(['accounts', 'common'])
  const [isSending, setIsSending] = useState(false)
  const { seconds, start } = useCountdown()
  const ask = async () => {
    if (isSending) return toast.warning(t('common:wait'))
    if (!mayAsk()) return
    setIsSending(true)
    try {
      const proof = await startPuzzling('sms').prove()
      await send(target, purpose, proof)
      toast.success(t('code.sent'))
      start(codes.resendMs / 1000)
    } catch (error) {
      // `call` has told why.
      console.error(error)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <Button look="quiet" busy={isSending} disabled={seconds > 0} onClick={() => void ask()}>
      {seconds > 0 ? t('code.again', { seconds }) : t('code.ask')}
    </Button>
  )
}

function send(target: CodeTarget, purpose: CodePurpose, proof: string): Promise<unknown> {
  if ('email' in target) return call('user/mailcode', { email: target.email, purpose, proof })
  const { areaCode, number } = target
  return call('user/smscode', { gjPhone: `${areaCode}${number}`, phone: number, purpose, proof })
}

function useCountdown() {
  const [endsAt, setEndsAt] = useState(0)
  const [now, setNow] = useState(0)
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const isRunning = seconds > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return {
    seconds,
    start: (length: number) => {
      setNow(Date.now())
      setEndsAt(Date.now() + length * 1000)
    },
  }
}
