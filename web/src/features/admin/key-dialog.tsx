import { CopyOutlined } from '@ant-design/icons'
import type { Member } from '@neuroloom/contract/accounts/members'
import { loginKey } from '@neuroloom/contract/limits'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../lib/api.ts'
import { copyText } from '../../lib/copy-text.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import styles from './members.module.css'

/** A link that signs a member in, once, within a minute. */
export function KeyDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation(['members', 'common'])
  const [path, setPath] = useState('/mangeHome')
  const make = useAction('user/key', { refresh: [], quiet: true })
  const link = make.data && new URL(make.data.url, window.location.origin).href
  const copy = async () => {
    if (link && (await copyText(link))) toast.success(t('given.copied'))
    else toast.warning(t('given.notCopied'))
  }
  const submit = () => {
    if (!make.isPending) make.mutate({ account: member.account, path: path.trim() })
  }
  const isPathWrong = make.error instanceof CallError && 'path' in make.error.fields
  return (
    <Modal
      open
      centered
      width={560}
      title={t('key.title', { name: member.nickName })}
      okText={t('key.make')}
      okButtonProps={{ loading: make.isPending }}
      cancelText={t('common:close')}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <p>{t('key.text', { seconds: loginKey.validMs / 1000 })}</p>
        <Form.Item
          label={t('key.path')}
          htmlFor="key-path"
          extra={t('key.pathHelp')}
          validateStatus={make.isError ? 'error' : ''}
          help={make.isError ? (isPathWrong ? t('key.pathWrong') : messageOf(make.error)) : undefined}
        >
          <Input
            id="key-path"
            maxLength={500}
            value={path}
            onChange={({ target }) => {
              setPath(target.value)
              make.reset()
            }}
          />
        </Form.Item>
        {link && (
          <div className={styles.form}>
            <Alert type="warning" showIcon title={t('key.once', { seconds: loginKey.validMs / 1000 })} />
            <label htmlFor="key-link">{t('key.link')}</label>
            <Input id="key-link" readOnly value={link} onFocus={({ target }) => target.select()} />
            <div>
              <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
                {t('key.copy')}
              </Button>
            </div>
          </div>
        )}
      </Form>
    </Modal>
  )
}
