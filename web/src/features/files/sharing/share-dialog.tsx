import type { Entry } from '@neuroloom/contract/files'
import { Divider, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from '../../../ui/share/share.module.css'
import { ShareForm, usePermissions } from '../../../ui/share/share-form.tsx'
import { ShareList } from '../../../ui/share/share-list.tsx'
import { SharedCount } from '../../../ui/share/shared-count.tsx'
import { LinkSection } from './link-section.tsx'
import { usePatientWord } from './use-patient-word.tsx'

const refresh = ['files/shares', 'files/list', 'files/groupData', 'plans/shared'] as const

type ShareDialogProps = { entry: Pick<Entry, 'id' | 'name'>; onClose: () => void }

/** Who else has an own file or folder: accounts, groups, links; giving and withdrawing. */
export function ShareDialog({ entry, onClose }: ShareDialogProps) {
  const { t } = useTranslation('sharing')
  return (
    <Modal
      open
      centered
      width={640}
      title={<span className={styles.title}>{t('title', { name: entry.name })}</span>}
      footer={null}
      onCancel={onClose}
    >
      <Sharing id={entry.id} />
    </Modal>
  )
}

function Sharing({ id }: { id: string }) {
  const { t } = useTranslation('sharing')
  const query = useCall('files/shares', { id }, { quiet: true })
  const share = useAction('files/share', { refresh, quiet: true })
  const word = usePatientWord()
  const rights = usePermissions()
  const change = useAction('files/changeShare', { refresh })
  const withdraw = useAction('files/unshare', { refresh })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { shares, links, accountLimit } = query.data
  return (
    <>
      <ShareForm
        rights={rights}
        first="view"
        onShare={(account, permission) =>
          word.give((withPatients) => share.mutateAsync({ id, account, permission, withPatients }))
        }
      />
      {word.dialog}
      <ShareList
        rights={rights}
        shares={shares}
        onChange={(shareId, permission) => change.mutateAsync({ shareId, permission })}
        onWithdraw={(shareId) => withdraw.mutateAsync({ shareIds: [shareId] })}
      />
      {accountLimit !== null && (
        <p className={styles.soft}>
          {t('accounts', {
            count: shares.filter(({ member }) => member !== null).length,
            limit: accountLimit,
          })}
        </p>
      )}
      <SharedCount kinds={['datasets']} />
      <Divider />
      <LinkSection id={id} links={links} />
    </>
  )
}
