import type { DatasetLayout } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import styles from './folder-layouts.module.css'
import { type Drawing, LayoutDrawing } from './layout-drawing.tsx'

/** Pictures with their split in folders of their own are recognised in every layout. */
const drawings: Record<Task, readonly Drawing[]> = {
  classification: ['class_folders', 'csv_labels', 'name_classes'],
  multilabel: ['csv_multilabel'],
  segmentation: ['images_masks'],
  volume_segmentation: ['volume_pairs'],
  detection: ['voc', 'coco', 'yolo', 'csv_boxes', 'labelme', 'cvat'],
  super_resolution: ['resolution_pairs'],
  denoising: ['noise_pairs'],
}
const every: readonly DatasetLayout[] = Object.values(drawings)
  .flat()
  .filter((drawing) => drawing !== 'csv_multilabel')

/** What a right folder looks like, drawn: for one task, or for all of them where the task is not known. */
export function FolderLayouts({ task }: { task: Task | null }) {
  const { t } = useTranslation('datasets')
  const shown = task === null ? every : drawings[task]
  return (
    <section className={styles.layouts} aria-label={t('layout.title')}>
      <h4>{t('layout.title')}</h4>
      <div>
        {shown.map((drawing) => (
          <LayoutDrawing key={drawing} drawing={drawing} />
        ))}
      </div>
      <p>{t('layout.given')}</p>
    </section>
  )
}
