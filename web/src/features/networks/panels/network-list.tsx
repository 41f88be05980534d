import { networkFileLimits } from '@neuroloom/contract/limits'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import styles from './home.module.css'
import { NetworkCard } from './network-card.tsx'

/** Own networks as cards, with renaming, copying and deleting. */
export function NetworkList({ networks }: { networks: readonly OwnNetwork[] }) {
  const { t } = useTranslation('dripe-panels')
  const [renaming, setRenaming] = useState<OwnNetwork | null>(null)
  const [removing, setRemoving] = useState<OwnNetwork | null>(null)
  const copy = useAction('networks/copy', { refresh: ['networks/mine', 'networks/list'] })
  const remove = useAction('networks/remove', { refresh: ['networks/mine', 'networks/list'] })
  const copyName = (name: string) => {
    const suffix = ` ${t('home.copySuffix')}`
    return name.slice(0, networkFileLimits.nameLength - suffix.length) + suffix
  }
  return (
    <>
      <ul className={styles.grid}>
        {networks.map((network) => (
          <NetworkCard
            key={network.id}
            network={network}
            onRename={() => setRenaming(network)}
            onCopy={() => copy.mutate({ id: network.id, name: copyName(network.name) })}
            onRemove={() => setRemoving(network)}
          />
        ))}
      </ul>
      {renaming === null ? null : <RenameDialog network={renaming} onClose={() => setRenaming(null)} />}
      {removing === null ? null : (
        <ConfirmRemove
          open
          title={t('home.removeTitle', { name: removing.name })}
          text={t('home.removeText')}
          onConfirm={() => remove.mutateAsync({ id: removing.id })}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  )
}

function RenameDialog({ network, onClose }: { network: OwnNetwork; onClose: () => void }) {
  const { t } = useTranslation(['dripe-panels', 'common'])
  const [name, setName] = useState(network.name)
  const rename = useAction('networks/rename', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: onClose,
  })
  const isEmpty = name.trim() === ''
  const submit = () => !isEmpty && rename.mutate({ id: network.id, name: name.trim() })
  return (
    <Modal
      open
      centered
      width={460}
      title={t('home.rename')}
      okText={t('common:save')}
      okButtonProps={{ disabled: isEmpty, loading: rename.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Input
        autoFocus
        aria-label={t('network.name')}
        maxLength={networkFileLimits.nameLength}
        value={name}
        status={isEmpty ? 'error' : ''}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={submit}
      />
    </Modal>
  )
}
