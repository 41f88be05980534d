import type { Permission } from '@neuroloom/contract/sharing'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tellFailure } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import styles from '../../../ui/share/share.module.css'
import { PermissionSelect, usePermissions } from '../../../ui/share/share-form.tsx'
import { SharedCount } from '../../../ui/share/shared-count.tsx'
import { FolderPicker } from '../folder/folder-picker.tsx'
import { usePatientWord } from './use-patient-word.tsx'

/** Gives an own folder to a group. */
export function GiveDialog({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const { t } = useTranslation('sharing')
  const [permission, setPermission] = useState<Permission>('view')
  const word = usePatientWord()
  const rights = usePermissions()
  const give = useAction('files/giveToGroup', {
    refresh: ['files/groupData', 'files/groups', 'files/list', 'plans/shared'],
    quiet: true,
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
        <>
          {word.dialog}
          <div className={styles.give}>
            {t('membersMay')}
            <PermissionSelect
              label={t('membersMay')}
              rights={rights}
              value={permission}
              onChange={setPermission}
            />
          </div>
          <SharedCount kinds={['datasets']} />
        </>
      }
      onPick={(id) =>
        word
          .give((withPatients) => give.mutateAsync({ groupId, ids: [id], permission, withPatients }))
          .catch(tellFailure)
      }
      onClose={onClose}
    />
  )
}
