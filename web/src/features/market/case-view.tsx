import type { Case } from '@neuroloom/contract/market/provider'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { CaseDialog } from './case-dialog.tsx'
import type { FilePicker } from './file-field.tsx'
import styles from './market.module.css'
import { useTaskName } from './use-task-name.ts'

type Props = { shown: Case; Picker: FilePicker; onRemoved: () => void }

/** One case: pictures, what was done, and what came out. */
export function CaseView({ shown, Picker, onRemoved }: Props) {
  const { t } = useTranslation('market')
  const nameOf = useTaskName()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const { id, text, figures, pictures, provider, task, isOwn, isPublic, createdAt } = shown
  const remove = useAction('case/remove', {
    refresh: ['case/list', 'provider/detail'],
    onDone: () => {
      toast.success(t('case.removed'))
      onRemoved()
    },
  })
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        {pictures.length > 0 && (
          <ul className={styles.pictures} aria-label={t('case.pictures')}>
            {pictures.map((picture) => (
              <li key={picture.id}>
                <img src={picture.url} alt={picture.name} loading="lazy" />
              </li>
            ))}
          </ul>
        )}
        <Panel title={t('case.text')}>
          <p className={styles.words}>{text}</p>
        </Panel>
        {figures.length > 0 && (
          <Panel title={t('case.figures')}>
            <Facts facts={figures.map(({ name, value }) => [name, value])} />
          </Panel>
        )}
      </div>
      <aside className={styles.aside}>
        {!isPublic && <Tag>{t('case.private')}</Tag>}
        <Facts
          facts={[
            [t('task'), nameOf(task)],
            [
              t('work.provider'),
              <Link key="provider" to={`/serviceProviderDetail?id=${provider.id}`}>
                {provider.nickName}
              </Link>,
            ],
            [t('posted'), formatDate(createdAt, 'day')],
          ]}
        />
        {isOwn && (
          <div className={styles.actions}>
            <Button onClick={() => setOpen('edit')}>{t('case.edit')}</Button>
            <Button danger onClick={() => setOpen('remove')}>
              {t('case.remove')}
            </Button>
          </div>
        )}
      </aside>
      {open === 'edit' && <CaseDialog shown={shown} Picker={Picker} onClose={() => setOpen(null)} />}
      <ConfirmRemove
        open={open === 'remove'}
        title={t('case.removeTitle')}
        text={t('case.removeText')}
        onConfirm={() => remove.mutateAsync({ id })}
        onClose={() => setOpen(null)}
      />
    </div>
  )
}
