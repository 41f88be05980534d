import type { Answer } from '@neuroloom/contract/calls'
import type { Dataset } from '@neuroloom/contract/datasets'
import { Alert, Button, Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../../lib/query.ts'
import { LineButton } from '../../../ui/line-button.tsx'
import styles from './doubles.module.css'
import { DoublesList } from './doubles-list.tsx'

type Shared = Answer<'datasets/shared'>['sets'][number]
type Props = { dataset: Dataset; projectId: string | null }

/** Pictures that look almost the same: what the product does about them, and what the member has to decide. */
export function DatasetDoubles({ dataset, projectId }: Props) {
  const { t } = useTranslation('doubles')
  const [isShown, setIsShown] = useState(false)
  const [other, setOther] = useState<Shared | null>(null)
  const doubles = dataset.facts?.doubles
  const crossing = doubles?.crossing ?? 0
  return (
    <div className={styles.doubles}>
      {doubles && crossing > 0 && (
        <Crossing dataset={dataset} doubles={doubles} onShow={() => setIsShown(true)} />
      )}
      {doubles && doubles.items > 0 && crossing === 0 && (
        <LineButton
          title={t('found', { count: doubles.items })}
          action={t('see')}
          onClick={() => setIsShown(true)}
        />
      )}
      {projectId !== null && <SharedSets dataset={dataset} projectId={projectId} onShow={setOther} />}
      <Drawer
        open={isShown}
        size={880}
        title={t('title', { name: dataset.name })}
        onClose={() => setIsShown(false)}
        destroyOnHidden
      >
        {doubles && <Explained doubles={doubles} />}
        <DoublesList datasetId={dataset.id} otherId={null} />
      </Drawer>
      <Drawer
        open={other !== null}
        size={880}
        title={t('sharedTitle', { name: dataset.name, other: other?.name ?? '' })}
        onClose={() => setOther(null)}
        destroyOnHidden
      >
        <p className={styles.text}>{t('sharedText')}</p>
        {other && <DoublesList datasetId={dataset.id} otherId={other.id} />}
      </Drawer>
    </div>
  )
}

type Doubles = NonNullable<NonNullable<Dataset['facts']>['doubles']>

function Explained({ doubles }: { doubles: Doubles }) {
  const { t } = useTranslation('doubles')
  return (
    <div className={styles.text}>
      <p>{t('text')}</p>
      {doubles.loose > 0 && <p>{t('loose', { count: doubles.loose })}</p>}
      {doubles.crossing > 0 && <p>{t('crossingText')}</p>}
    </div>
  )
}

/** With parts that the data set gives, nothing is moved without being asked. */
function Crossing({ dataset, doubles, onShow }: { dataset: Dataset; doubles: Doubles; onShow: () => void }) {
  const { t } = useTranslation('doubles')
  const leave = useAction('datasets/leaveAside', {
    refresh: ['datasets/list', 'datasets/detail', 'datasets/items', 'datasets/doubles', 'runs/suggest'],
  })
  const isAside = doubles.aside > 0
  return (
    <Alert
      type={isAside ? 'success' : 'warning'}
      showIcon
      title={isAside ? t('asideTitle', { count: doubles.aside }) : t('crossing', { count: doubles.crossing })}
      description={
        <>
          <p>{isAside ? t('asideText') : t('crossingWhy')}</p>
          <div className={styles.actions}>
            {dataset.owner === '' && (
              <Button
                type={isAside ? 'default' : 'primary'}
                loading={leave.isPending}
                onClick={() => leave.mutate({ id: dataset.id, aside: !isAside })}
              >
                {t(isAside ? 'takeBack' : 'leaveAside')}
              </Button>
            )}
            <Button onClick={onShow}>{t('see')}</Button>
          </div>
        </>
      }
    />
  )
}

function SharedSets({
  dataset,
  projectId,
  onShow,
}: {
  dataset: Dataset
  projectId: string
  onShow: (other: Shared) => void
}) {
  const { t } = useTranslation('doubles')
  const { data } = useCall('datasets/shared', { id: dataset.id, projectId }, { quiet: true })
  return data?.sets.map((other) => (
    <Alert
      key={other.id}
      type="warning"
      showIcon
      title={t(other.use === 'train' ? 'sharedTrain' : 'sharedTest', {
        count: other.items,
        name: other.name,
      })}
      description={
        <>
          <p>{t('sharedWhy')}</p>
          <div className={styles.actions}>
            <Button onClick={() => onShow(other)}>{t('see')}</Button>
          </div>
        </>
      }
    />
  ))
}
