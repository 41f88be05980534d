import { toolbox as limits } from '@neuroloom/contract/limits'
import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { Button, Input, Modal, Segmented, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { SharedCount } from '../../../ui/share/shared-count.tsx'
import styles from './own.module.css'

const refresh = ['toolbox/ownTools', 'toolbox/ownTool', 'plans/shared'] as const
type Days = (typeof limits.shareDays)[number]

/** Who may use the tool: members and groups, for ever or for some days. */
export function ShareDialog({ tool, onClose }: { tool: OwnTool; onClose: () => void }) {
  const { t } = useTranslation('own-tools')
  const shares = tool.made?.shares ?? []
  const unshare = useAction('toolbox/unshareTool', { refresh })
  return (
    <Modal open centered footer={null} title={t('share.title', { name: tool.name })} onCancel={onClose}>
      <div className={styles.make}>
        <p className={styles.soft}>{t(`share.lead.${tool.kind}`)}</p>
        {tool.kind === 'network' && <SharedCount kinds={['models']} />}
        <ShareForm tool={tool} />
        {shares.length > 0 && (
          <ul className={styles.shares} aria-label={t('share.given')}>
            {shares.map(({ id, member, group, expiresAt }) => (
              <li key={id}>
                <span className={styles.who}>
                  {group === null ? member : t('share.group', { name: group })}
                  <span className={styles.soft}>
                    {expiresAt === null
                      ? t('share.forEver')
                      : t('share.until', { date: formatDate(expiresAt, 'minute') })}
                  </span>
                </span>
                <Button
                  size="small"
                  aria-label={t('share.withdrawFrom', { name: group ?? member ?? '' })}
                  onClick={() => unshare.mutate({ id: tool.id, shareId: id })}
                >
                  {t('share.withdraw')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  )
}

function ShareForm({ tool: { id } }: { tool: OwnTool }) {
  const { t } = useTranslation('own-tools')
  const field = useId()
  const [to, setTo] = useState<'member' | 'group'>('member')
  const [account, setAccount] = useState('')
  const [groupId, setGroupId] = useState<string | null>(null)
  const [days, setDays] = useState<Days | null>(null)
  const groups = useCall('files/groups', {}, { quiet: true })
  const share = useAction('toolbox/shareTool', {
    refresh,
    onDone: () => {
      setAccount('')
      setGroupId(null)
    },
  })
  const isReady = to === 'member' ? account.trim() !== '' : groupId !== null
  const target = to === 'member' ? { account: account.trim() } : { groupId }
  return (
    <form
      className={styles.shareForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) share.mutate({ id, ...target, days })
      }}
    >
      <Segmented
        aria-label={t('share.to')}
        value={to}
        options={(['member', 'group'] as const).map((one) => ({ value: one, label: t(`share.${one}Tab`) }))}
        onChange={setTo}
      />
      {to === 'member' ? (
        <div className={styles.field}>
          <label htmlFor={field}>{t('share.account')}</label>
          <Input
            id={field}
            value={account}
            maxLength={254}
            onChange={({ target }) => setAccount(target.value)}
          />
        </div>
      ) : (
        <div className={styles.field}>
          <label htmlFor={field}>{t('share.groupName')}</label>
          <Select
            id={field}
            value={groupId}
            loading={groups.isPending}
            placeholder={t('share.groupHint')}
            notFoundContent={t('share.noGroups')}
            options={groups.data?.groups.map(({ id: value, name }) => ({ value, label: name })) ?? []}
            onChange={setGroupId}
          />
        </div>
      )}
      <div className={styles.field}>
        <label htmlFor={`${field}-days`}>{t('share.time')}</label>
        <Select
          id={`${field}-days`}
          value={days ?? 0}
          options={[
            { value: 0, label: t('share.forEver') },
            ...limits.shareDays.map((value) => ({ value, label: t('share.days', { count: value }) })),
          ]}
          onChange={(value) => setDays(limits.shareDays.find((one) => one === value) ?? null)}
        />
      </div>
      <Button type="primary" htmlType="submit" disabled={!isReady} loading={share.isPending}>
        {t('share.share')}
      </Button>
    </form>
  )
}
