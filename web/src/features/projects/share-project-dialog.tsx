import { sharedKinds } from '@neuroloom/contract/membership/counted'
import type { Project } from '@neuroloom/contract/projects'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from '../../ui/share/share.module.css'
import { ShareForm, usePermissions } from '../../ui/share/share-form.tsx'
import { ShareList } from '../../ui/share/share-list.tsx'
import { SharedCount } from '../../ui/share/shared-count.tsx'

const refresh = ['projects/shares', 'projects/list', 'projects/detail', 'plans/shared'] as const

/** Who else has an own project; giving and withdrawing. */
export function ShareProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation(['projects', 'sharing'])
  return (
    <Modal
      open
      centered
      width={640}
      title={<span className={styles.title}>{t('sharing:title', { name: project.name })}</span>}
      footer={null}
      onCancel={onClose}
    >
      <Sharing id={project.id} />
      <p className={`${styles.soft} ${styles.note}`}>{t('shareText', { context: project.task })}</p>
    </Modal>
  )
}

function Sharing({ id }: { id: string }) {
  const { t } = useTranslation('sharing')
  const rights = usePermissions()
  const query = useCall('projects/shares', { id }, { quiet: true })
  const share = useAction('projects/share', { refresh, quiet: true })
  const change = useAction('projects/changeShare', { refresh })
  const withdraw = useAction('projects/unshare', { refresh })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { shares, limit } = query.data
  return (
    <>
      <ShareForm
        rights={rights}
        first="view"
        onShare={(account, permission) => share.mutateAsync({ id, account, permission })}
      />
      <ShareList
        rights={rights}
        shares={shares}
        onChange={(shareId, permission) => change.mutateAsync({ shareId, permission })}
        onWithdraw={(shareId) => withdraw.mutateAsync({ shareId })}
      />
      {limit !== null && (
        <p className={`${styles.soft} ${styles.note}`}>{t('accounts', { count: shares.length, limit })}</p>
      )}
      <SharedCount kinds={sharedKinds} />
    </>
  )
}
