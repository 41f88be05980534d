import { DisconnectOutlined, LockOutlined } from '@ant-design/icons'
import type { ErrorName } from '@neuroloom/contract/errors'
import { sharing as limits } from '@neuroloom/contract/limits'
import { Alert, Button, Form, Input } from 'antd'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './link-visit.module.css'
import { LinkedFiles } from './linked-files.tsx'

type LinkVisitProps = {
  token: string
  /** Another feature's: asked for where the password was often wrong. */
  slider: (onProof: (proof: Promise<string>) => void) => ReactNode
}
/** What was typed, and dragged where that is asked for. */
type Given = { password: string; proof?: string }

/** A link's visitor: perhaps a password, then the file or folder. */
export function LinkVisit({ token, slider }: LinkVisitProps) {
  const { t } = useTranslation('sharing')
  const [given, setGiven] = useState<Given>({ password: '' })
  const [attempt, setAttempt] = useState(0)
  const isWhole = /^[A-Za-z0-9_-]{16,64}$/.test(token)
  const query = useCall(
    'files/visitLink',
    { token, ...given },
    // One visit counts once; the pass it gives lasts longer than any look.
    { quiet: true, enabled: isWhole, staleTime: limits.linkVisitMs, keepPrevious: true },
  )
  const isGone = isRefused(query.error, 'link_gone')
  if (!isWhole || isGone)
    return (
      <EmptyState icon={<DisconnectOutlined aria-hidden />} title={t('linkGone')} text={t('linkGoneText')} />
    )
  const needsPassword = query.data?.needsPassword === true && query.data.pass === null
  if (needsPassword || (query.isError && given.password !== '')) {
    const hasSlider = given.proof !== undefined || isRefused(query.error, 'drag_required')
    const send = (next: Given) => {
      setGiven(next)
      setAttempt((count) => count + 1)
    }
    return (
      <PasswordForm
        error={query.error}
        isBusy={query.isFetching}
        // A proof counts once: the slider starts anew.
        slider={hasSlider && ((onProof) => <Fragment key={attempt}>{slider(onProof)}</Fragment>)}
        onSend={send}
      />
    )
  }
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { pass, entry, owner, expiresAt } = query.data
  if (pass === null || entry === null) return <Loading shape="rows" count={4} />
  return <LinkedFiles pass={pass} entry={entry} owner={owner} expiresAt={expiresAt} />
}

const isRefused = (error: Error | null, name: ErrorName): boolean =>
  error instanceof CallError && error.name === name

type PasswordFormProps = {
  error: Error | null
  isBusy: boolean
  slider: LinkVisitProps['slider'] | false
  onSend: (given: Given) => void
}

function PasswordForm({ error, isBusy, slider, onSend }: PasswordFormProps) {
  const { t } = useTranslation('sharing')
  const [text, setText] = useState('')
  const [proving, setProving] = useState<Promise<string> | null>(null)
  const send = async () => {
    if (text === '') return
    if (!slider) return onSend({ password: text })
    // Not proven: the slider itself asks to be dragged again.
    const proof = await proving?.catch(() => undefined)
    setProving(null)
    if (proof !== undefined) onSend({ password: text, proof })
  }
  return (
    <div className={styles.door}>
      <LockOutlined aria-hidden className={styles.sign} />
      <h1>{t('linkLocked')}</h1>
      <p>{t('linkLockedText')}</p>
      <Form layout="vertical" onFinish={() => void send()}>
        <Form.Item label={t('password')} htmlFor="link-password">
          <Input.Password
            id="link-password"
            size="large"
            autoFocus
            autoComplete="off"
            maxLength={limits.linkPasswordLength}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Form.Item>
        {slider && <Form.Item>{slider(setProving)}</Form.Item>}
        {error && !isBusy && <Alert type="error" showIcon title={messageOf(error)} />}
        <Button block type="primary" size="large" htmlType="submit" loading={isBusy}>
          {t('openLink')}
        </Button>
      </Form>
    </div>
  )
}
