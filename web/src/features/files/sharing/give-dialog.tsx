import type { Permission } from '@neuroloom/contract/sharing'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import styles from '../../../ui/share.module.css'
import { PermissionSelect } from '../../../ui/share-form.tsx'
import { FolderPicker } from '../folder-picker.tsx'

/** Gives an own folder to a group. */
export function GiveDialog({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const { t } = useTranslation('sharing')
  const [permission, setPermission] = useState<Permission>('view')
  const give = useAction('files/giveToGroup', {
    refresh: ['files/groupData', 'files/groups', 'files/list'],
    onDone: () => {
      toast.success(t('given'))
      onClose()
    },
  })
  return (
    <FolderPicker
      open
      title={t('giveTitle')}
      okText={t('give')}
      busy={give.isPending}
      foot={
        <div className={styles.give}>
          {t('membersMay')}
          <PermissionSelect label={t('membersMay')} value={permission} onChange={setPermission} />
        </div>
      }
      onPick={(id) => give.mutate({ groupId, ids: [id], permission })}
      onClose={onClose}
    />
  )
}
