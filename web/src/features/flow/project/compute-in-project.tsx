import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { names } from '@neuroloom/contract/limits'
import type { Project } from '@neuroloom/contract/projects'
import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction, useAllPages } from '../../../lib/query.ts'
import { computeAddress } from '../address.ts'
import styles from './project.module.css'
import { useAddStudy } from './use-add-study.ts'

const NEW = 'new'

type Props = { study: Pick<FlowDetail, 'id' | 'name'>; projectId: string | null }

/** From a ready study to the form of a run: in the project that was come from, else in one that is asked for or made. */
export function ComputeInProject({ study, projectId }: Props) {
  const { t } = useTranslation('flow-project')
  const navigate = useNavigate()
  if (projectId === null) return <AskProject study={study} />
  return (
    <Button type="primary" onClick={() => void navigate(computeAddress({ projectId, studyId: study.id }))}>
      {t('withCorrections')}
    </Button>
  )
}

function AskProject({ study }: Pick<Props, 'study'>) {
  const { t } = useTranslation(['flow-project', 'common'])
  const [isAsking, setAsking] = useState(false)
  const [picked, setPicked] = useState<string | null>(null)
  const projects = useAllPages('projects/list', {})
  const all = projects.data?.pages.flatMap((page) => page.projects) ?? []
  const usable = all.filter(({ task, access }) => task === 'flow' && access !== 'view')
  const { go, isBusy } = useGo(study)
  const name = freeName(study.name, all)
  const chosen = picked ?? usable[0]?.id ?? NEW
  const begin = () => (usable.length > 0 ? setAsking(true) : go({ name }))
  return (
    <>
      <Button
        type="primary"
        loading={isBusy}
        disabled={!projects.data || projects.hasNextPage}
        onClick={() => void begin()}
      >
        {t('withCorrections')}
      </Button>
      <Modal
        open={isAsking}
        centered
        width={520}
        title={t('withTitle')}
        okText={t('withGo')}
        okButtonProps={{ loading: isBusy }}
        cancelText={t('common:cancel')}
        onOk={() => void go(chosen === NEW ? { name } : { id: chosen })}
        onCancel={() => setAsking(false)}
      >
        <div className={styles.stack}>
          <p className={styles.soft}>{t('withText')}</p>
          <Radio.Group
            className={styles.picks ?? ''}
            aria-label={t('withTitle')}
            value={chosen}
            onChange={({ target }) => setPicked(target.value)}
            options={[
              ...usable.map((project) => ({ value: project.id, label: project.name })),
              { value: NEW, label: t('withNew', { name }) },
            ]}
          />
        </div>
      </Modal>
    </>
  )
}

/** Makes the project where there is none, takes the study in, and leads to the form. */
function useGo({ id: studyId }: Pick<FlowDetail, 'id'>) {
  const navigate = useNavigate()
  const create = useAction('projects/create', { refresh: ['projects/list'] })
  const add = useAddStudy()
  const go = async (where: { id: string } | { name: string }) => {
    try {
      const { id: projectId } =
        'id' in where ? where : await create.mutateAsync({ name: where.name, task: 'flow' })
      await add.mutateAsync({ projectId, studyId })
      void navigate(computeAddress({ projectId, studyId }))
    } catch {
      // A refusal is told by the call.
    }
  }
  return { go, isBusy: create.isPending || add.isPending }
}

/** Room for a number behind a name. */
const NUMBER_LENGTH = 5

/** The name of the study, with a number where a project is called so already. */
function freeName(called: string, projects: readonly Project[]): string {
  const plain = called.slice(0, names.length - NUMBER_LENGTH).trim()
  const taken = new Set(projects.map((project) => project.name))
  let name = plain
  for (let number = 2; taken.has(name); number++) name = `${plain} ${number}`
  return name
}
