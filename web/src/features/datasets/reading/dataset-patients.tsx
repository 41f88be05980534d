import type { DataFacts, Dataset } from '@neuroloom/contract/datasets'
import type { PatientOrigin } from '@neuroloom/contract/reading/patient-rule'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { PatientGroups } from './patient-groups.tsx'
import { usePatientWords } from './patient-words.ts'
import styles from './patients.module.css'
import { PatientsDialog } from './patients-dialog.tsx'

/** Who the pictures of a data set come from, how that was told, and what could give the class away. */
export function DatasetPatients({ dataset }: { dataset: Dataset }) {
  const { facts } = dataset
  if (!facts?.origin) return null
  return (
    <div className={styles.patients}>
      <Told dataset={dataset} origin={facts.origin} isGiven={facts.given !== null} />
      {facts.origin.crossing > 0 && <Crossing dataset={dataset} origin={facts.origin} />}
      {facts.giveaway && <Giveaways giveaway={facts.giveaway} />}
    </div>
  )
}

type OriginProps = { dataset: Dataset; origin: PatientOrigin }

function Told({ dataset, origin, isGiven }: OriginProps & { isGiven: boolean }) {
  const { t } = useTranslation('reading')
  const { line } = usePatientWords()
  const [isChanging, setIsChanging] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const isUnknown = origin.patients === 0
  return (
    <section className={styles.told} aria-label={t('title')}>
      <div>
        <p className={styles.line}>{line(origin)}</p>
        {isUnknown && <p>{whyNobody(origin, t)}</p>}
        {!isUnknown && !isGiven && <p>{t('together')}</p>}
        {origin.pairs > 0 && <p>{t('pairs', { count: origin.pairs })}</p>}
        {!isUnknown && (
          <details onToggle={({ currentTarget }) => setIsShown(currentTarget.open)}>
            <summary>{t('examples')}</summary>
            {isShown && <PatientGroups datasetId={dataset.id} rule={origin.rule} />}
          </details>
        )}
      </div>
      {dataset.owner === '' && <Button onClick={() => setIsChanging(true)}>{t('change')}</Button>}
      {isChanging && (
        <PatientsDialog dataset={dataset} origin={origin} onClose={() => setIsChanging(false)} />
      )}
    </section>
  )
}

type Say = ReturnType<typeof useTranslation<'reading'>>['t']

function whyNobody({ isChosen, tooFew }: PatientOrigin, t: Say): string {
  if (tooFew > 0) return t('tooFew', { count: tooFew })
  return t(isChosen ? 'aloneByChoice' : 'unknown')
}

/** With parts that the data set gives, nothing is moved without being asked. */
function Crossing({ dataset, origin }: OriginProps) {
  const { t } = useTranslation('reading')
  const leave = useAction('datasets/leaveAside', {
    refresh: ['datasets/list', 'datasets/detail', 'datasets/items', 'datasets/doubles', 'runs/suggest'],
  })
  const isAside = origin.aside > 0
  return (
    <Alert
      type={isAside ? 'success' : 'warning'}
      showIcon
      title={t(isAside ? 'asideTitle' : 'crossing', { count: isAside ? origin.aside : origin.crossing })}
      description={
        <>
          <p>{t(isAside ? 'asideText' : 'crossingWhy')}</p>
          {dataset.owner === '' && (
            <Button
              className={styles.action ?? ''}
              type={isAside ? 'default' : 'primary'}
              loading={leave.isPending}
              onClick={() => leave.mutate({ id: dataset.id, aside: !isAside })}
            >
              {t(isAside ? 'takeBack' : 'leaveAside')}
            </Button>
          )}
        </>
      }
    />
  )
}

function Giveaways({ giveaway }: { giveaway: NonNullable<DataFacts['giveaway']> }) {
  const { t } = useTranslation('reading')
  return (
    <Alert
      type="warning"
      showIcon
      title={giveaway.map(({ by, accuracy, chance }) => (
        <div key={by}>
          {t(`giveaway.${by}`, {
            accuracy: formatPercent(accuracy, 0),
            chance: formatPercent(chance, 0),
          })}
        </div>
      ))}
      description={t('giveawayWhy')}
    />
  )
}
