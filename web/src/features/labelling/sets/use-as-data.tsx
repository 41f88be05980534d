import type { DatasetUse } from '@neuroloom/contract/datasets'
import { whose as allWhose } from '@neuroloom/contract/labelling/exchange'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { isLearned } from '@neuroloom/contract/task'
import { Alert, Modal, Radio, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction, useAllPages } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import styles from './sets.module.css'

type Whose = (typeof allWhose)[number]
const uses = ['train', 'test'] as const satisfies readonly DatasetUse[]

/** Makes the labels a data set of a project, without files in between. */
export function UseAsData({ set, onClose }: { set: LabelSet; onClose: () => void }) {
  const { t } = useTranslation('labelling')
  const [projectId, setProjectId] = useState(set.projectId)
  const [use, setUse] = useState<DatasetUse>('train')
  const [from, setFrom] = useState<Whose>(set.right === 'read' ? 'mine' : 'newest')
  const make = useAction('labelling/useAsData', {
    quiet: true,
    refresh: ['datasets/list', 'projects/detail', 'projects/list', 'plans/shared'],
  })
  const offered = set.right === 'read' ? (['mine'] as const) : allWhose
  const body = projectId === null ? null : { id: set.id, projectId, use, from }
  return (
    <Modal
      open
      centered
      title={t('asData.title', { name: set.name })}
      okText={t('asData.make')}
      okButtonProps={{ disabled: body === null, loading: make.isPending }}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <CancelBtn />
          {!make.isSuccess && <OkBtn />}
        </>
      )}
      cancelText={t('asData.close')}
      onOk={() => body && make.mutate(body)}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <p className={styles.hint}>{t('asData.about')}</p>
        <div>
          <span className={styles.label}>{t('asData.project')}</span>
          <ProjectChoice value={projectId} onChange={setProjectId} />
        </div>
        <fieldset className={styles.marks}>
          <legend>{t('asData.use')}</legend>
          <Radio.Group
            value={use}
            options={uses.map((value) => ({ value, label: t(`asData.uses.${value}`) }))}
            onChange={({ target }) => setUse(target.value)}
          />
        </fieldset>
        <fieldset className={styles.marks}>
          <legend>{t('asData.whose')}</legend>
          <Radio.Group
            vertical
            value={from}
            options={offered.map((value) => ({ value, label: t(`asData.from.${value}`) }))}
            onChange={({ target }) => setFrom(target.value)}
          />
        </fieldset>
        {make.error && <Alert type="error" showIcon title={<RefusalText error={make.error} />} />}
        {make.isSuccess && projectId !== null && (
          <Alert
            type="success"
            showIcon
            title={t('asData.made')}
            action={<Link to={`/projectDetail?id=${encodeURIComponent(projectId)}`}>{t('asData.open')}</Link>}
          />
        )}
      </div>
    </Modal>
  )
}

type ProjectChoiceProps = { value: string | null; onChange: (id: string) => void }

function ProjectChoice({ value, onChange }: ProjectChoiceProps) {
  const { t } = useTranslation('labelling')
  const { data, isPending } = useAllPages('projects/list', {})
  const projects = data?.pages.flatMap((page) => page.projects) ?? []
  const mine = projects.filter(({ access, task }) => access !== 'view' && isLearned(task))
  return (
    <Select
      className={styles.whole ?? ''}
      aria-label={t('asData.project')}
      placeholder={t('asData.choose')}
      notFoundContent={t('asData.none')}
      loading={isPending}
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      options={mine.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}
