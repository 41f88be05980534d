import { DisconnectOutlined, LockOutlined } from '@ant-design/icons'
import { sharing as limits } from '@neuroloom/contract/limits'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './link-visit.module.css'
import { LinkedFiles } from './linked-files.tsx'

/** A link's visitor: perhaps a password, then the file or folder. */
export function LinkVisit({ token }: { token: string }) {
  const { t } = useTranslation('sharing')
  const [password, setPassword] = useState('')
  const isWhole = /^[A-Za-z0-9_-]{16,64}$/.test(token)
  const query = useCall(
    'files/visitLink',
    { token, password },
    // One visit counts once; the pass it gives lasts longer than any look.
    { quiet: true, enabled: isWhole, staleTime: limits.linkVisitMs, keepPrevious: true },
  )
  const isGone = query.error instanceof CallError && query.error.name === 'link_gone'
  if (!isWhole || isGone)
    return (
      <EmptyState icon={<DisconnectOutlined aria-hidden />} title={t('linkGone')} text={t('linkGoneText')} />
    )
  const needsPassword = query.data?.needsPassword === true && query.data.pass === null
  if (needsPassword || (query.isError && password !== ''))
    return <PasswordForm error={query.error} isBusy={query.isFetching} onSend={setPassword} />
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { pass, entry, owner, expiresAt } = query.data
  if (pass === null || entry === null) return <Loading shape="rows" count={4} />
  return <LinkedFiles pass={pass} entry={entry} owner={owner} expiresAt={expiresAt} />
}

type PasswordFormProps = { error: Error | null; isBusy: boolean; onSend: (password: string) => void }

function PasswordForm({ error, isBusy, onSend }: PasswordFormProps) {
  const { t } = useTranslation('sharing')
  const [text, setText] = useState('')
  return (
    <div className={styles.door}>
      <LockOutlined aria-hidden className={styles.sign} />
      <h1>{t('linkLocked')}</h1>
      <p>{t('linkLockedText')}</p>
      <Form layout="vertical" onFinish={() => text !== '' && onSend(text)}>
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
        {error && !isBusy && <Alert type="error" showIcon title={messageOf(error)} />}
        <Button block type="primary" size="large" htmlType="submit" loading={isBusy}>
          {t('openLink')}
        </Button>
      </Form>
    </div>
  )
}
