import type { Partner } from '@neuroloom/contract/accounts/partners'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './partners.module.css'

const refresh = ['partners/members', 'partners/list'] as const

/** Whom a partner may sign in. */
export function PartnerMembers({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const { t } = useTranslation(['partners', 'common'])
  const { id, name } = partner
  const [page, setPage] = useState(1)
  const [account, setAccount] = useState('')
  const { data, error, refetch } = useCall(
    'partners/members',
    { id, page },
    { quiet: true, keepPrevious: true },
  )
  const add = useAction('partners/addMember', {
    refresh: [...refresh],
    quiet: true,
    onDone: () => setAccount(''),
  })
  const remove = useAction('partners/removeMember', { refresh: [...refresh] })
  if (data?.members.length === 0 && page > 1) setPage(page - 1)
  const submit = () => {
    if (!add.isPending && account.trim() !== '') add.mutate({ id, account: account.trim() })
  }
  return (
    <Modal
      open
      centered
      width={560}
      title={t('members.title', { name })}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <p>{t('members.text')}</p>
        <Form.Item
          label={t('members.account')}
          htmlFor="partner-account"
          validateStatus={add.isError ? 'error' : ''}
          help={add.isError ? messageOf(add.error) : undefined}
        >
          <Input
            id="partner-account"
            autoComplete="off"
            maxLength={254}
            value={account}
            onChange={({ target }) => {
              setAccount(target.value)
              if (add.isError) add.reset()
            }}
          />
        </Form.Item>
        <Button htmlType="submit" loading={add.isPending} disabled={account.trim() === ''}>
          {t('members.add')}
        </Button>
      </Form>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={3} />}
      {data?.total === 0 && <p>{t('members.none')}</p>}
      <ul className={styles.members} aria-label={t('members.title', { name })}>
        {data?.members.map((member) => (
          <li key={member.id}>
            <span>
              <strong>{member.nickName}</strong> {member.account}
            </span>
            <Button
              size="small"
              aria-label={t('members.removeOf', { name: member.nickName })}
              disabled={remove.isPending}
              onClick={() => remove.mutate({ id, memberId: member.id })}
            >
              {t('members.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </Modal>
  )
}
