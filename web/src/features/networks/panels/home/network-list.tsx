import { networkFileLimits } from '@neuroloom/contract/limits'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../lib/query.ts'
import card from '../../../../ui/card.module.css'
import { ConfirmRemove } from '../../../../ui/confirm-remove.tsx'
import { RenameDialog } from '../../../../ui/rename-dialog.tsx'
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
      <ul className={card.grid}>
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
      {renaming === null ? null : <Rename network={renaming} onClose={() => setRenaming(null)} />}
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

function Rename({ network, onClose }: { network: OwnNetwork; onClose: () => void }) {
  const { t } = useTranslation('dripe-panels')
  const rename = useAction('networks/rename', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: onClose,
  })
  return (
    <RenameDialog
      title={t('home.rename')}
      label={t('network.name')}
      name={network.name}
      maxLength={networkFileLimits.nameLength}
      isBusy={rename.isPending}
      onRename={(name) => rename.mutate({ id: network.id, name })}
      onClose={onClose}
    />
  )
}
