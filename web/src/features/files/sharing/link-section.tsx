import { CopyOutlined, LinkOutlined, LockOutlined } from '@ant-design/icons'
import { sharing as limits } from '@neuroloom/contract/limits'
import type { ShareLink } from '@neuroloom/contract/sharing'
import { Alert, Button, Input, Popconfirm, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { formatDate } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import styles from '../../../ui/share/share.module.css'
import { usePatientWord } from './use-patient-word.tsx'

/** Links that open an entry, for reading, without signing in. */
export function LinkSection({ id, links }: { id: string; links: readonly ShareLink[] }) {
  const { t } = useTranslation('sharing')
  const [days, setDays] = useState<number>(limits.linkDays[1])
  const [password, setPassword] = useState('')
  const [address, setAddress] = useState<string | null>(null)
  const create = useAction('files/createLink', {
    refresh: ['files/shares', 'files/list', 'plans/shared'],
    quiet: true,
    onDone: ({ token }) => {
      setAddress(`${window.location.origin}/shareFile#s=${token}`)
      setPassword('')
    },
  })
  const word = usePatientWord()
  const make = () => {
    const wanted = { id, days, password: password === '' ? null : password }
    // Why not is told below.
    word.give((withPatients) => create.mutateAsync({ ...wanted, withPatients })).catch(() => {})
  }
  const isShort = password !== '' && password.length < limits.linkPasswordMinLength
  return (
    <section aria-labelledby="share-links">
      <h3 id="share-links" className={styles.heading}>
        {t('links')}
      </h3>
      <p className={styles.soft}>{t('linksText')}</p>
      <div className={styles.give}>
        <Select<number>
          className={styles.permission ?? ''}
          aria-label={t('validFor')}
          value={days}
          onChange={setDays}
          options={limits.linkDays.map((value) => ({ value, label: t('days', { count: value }) }))}
        />
        <Input.Password
          prefix={<LockOutlined aria-hidden />}
          autoComplete="new-password"
          placeholder={t('passwordOptional')}
          aria-label={t('passwordOptional')}
          maxLength={limits.linkPasswordLength}
          status={isShort ? 'error' : ''}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          icon={<LinkOutlined aria-hidden />}
          disabled={isShort}
          loading={create.isPending}
          onClick={make}
        >
          {t('createLink')}
        </Button>
      </div>
      {word.dialog}
      {isShort && <p role="alert">{t('passwordShort', { count: limits.linkPasswordMinLength })}</p>}
      {create.isError && <Alert type="error" showIcon title={<RefusalText error={create.error} />} />}
      {address !== null && <Fresh address={address} />}
      <ul className={styles.people}>
        {links.map((link) => (
          <Item key={link.id} link={link} />
        ))}
      </ul>
    </section>
  )
}

/** A link is shown whole this once: the server keeps only a digest of it. */
function Fresh({ address }: { address: string }) {
  const { t } = useTranslation('sharing')
  const copy = async () => {
    if (await copyText(address)) toast.success(t('copied'))
    else toast.warning(t('copyFailed'))
  }
  return (
    <Alert
      type="success"
      title={t('linkReady')}
      description={
        <div className={styles.give}>
          <Input
            readOnly
            value={address}
            aria-label={t('linkAddress')}
            onFocus={({ target }) => target.select()}
          />
          <Button type="primary" icon={<CopyOutlined aria-hidden />} onClick={copy}>
            {t('copyLink')}
          </Button>
        </div>
      }
    />
  )
}

function Item({ link }: { link: ShareLink }) {
  const { t } = useTranslation('sharing')
  const revoke = useAction('files/revokeLink', {
    refresh: ['files/shares', 'files/list', 'plans/shared'],
  })
  return (
    <li>
      {link.hasPassword ? (
        <LockOutlined className={styles.group} title={t('hasPassword')} />
      ) : (
        <LinkOutlined className={styles.group} aria-hidden />
      )}
      <span>
        <strong>{t('linkUntil', { date: formatDate(link.expiresAt, 'minute') })}</strong>
        <small>
          {link.lastOpenedAt === null
            ? t('neverOpened')
            : t('opened', { count: link.opened, date: formatDate(link.lastOpenedAt, 'minute') })}
        </small>
      </span>
      <Popconfirm
        title={t('revokeAsk')}
        description={t('revokeText')}
        okText={t('revokeSure')}
        okButtonProps={{ danger: true }}
        onConfirm={() => revoke.mutate({ linkId: link.id })}
      >
        <Button danger type="text" loading={revoke.isPending}>
          {t('revoke')}
        </Button>
      </Popconfirm>
    </li>
  )
}
