import type { Listing } from '@neuroloom/contract/shop/listing'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type PickedEntry, SourcePicker } from '../../features/files/source-picker.tsx'
import { ProjectChoice, useProjectOf } from '../../features/shop/project-choice.tsx'
import styles from '../../features/shop/shop.module.css'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'

type Source = { folderId: string } | { fileIds: string[] }

/** Applies a model that one has to images of the cloud; the answers stand in an own project. */
export function PredictDialog({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const { t } = useTranslation(['shop', 'toolbox'])
  const navigate = useNavigate()
  const project = useProjectOf(listing.task)
  const { projectId } = project
  const [chosen, setChosen] = useState<{ source: Source; name: string } | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const predict = useAction('shop/predict', {
    quiet: true,
    refresh: ['runs/list', 'projects/detail', 'shop/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  return (
    <>
      <SaveDialog
        width={560}
        title={t('predict.title')}
        saveLabel={t('predict.start')}
        isDisabled={chosen === null || projectId === ''}
        onSave={async () =>
          chosen && predict.mutateAsync({ id: listing.id, projectId, replay: true, ...chosen.source })
        }
        onClose={onClose}
      >
        <div className={styles.form}>
          <p>{t('predict.text')}</p>
          <div className={styles.line}>
            <Button onClick={() => setChoosing(true)}>{t('predict.choose')}</Button>
            {chosen && <span>{chosen.name}</span>}
          </div>
          <ProjectChoice of={project} label={t('predict.project')} />
          {predict.error && (
            <p role="alert" className={styles.problem}>
              {messageOf(predict.error)}
            </p>
          )}
        </div>
      </SaveDialog>
      <SourcePicker
        open={isChoosing}
        busy={false}
        title={t('predict.choose')}
        okText={t('toolbox:take')}
        onPick={(source: Source, entries: PickedEntry[]) => {
          setChoosing(false)
          setChosen({ source, name: entries.map(({ name }) => name).join(', ') })
        }}
        onClose={() => setChoosing(false)}
      />
    </>
  )
}
