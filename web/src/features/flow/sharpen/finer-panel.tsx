import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import type { FlowSharpener } from '@neuroloom/contract/flow/sharpen-calls'
import { flowLimits } from '@neuroloom/contract/limits'
import { Button, Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { projectAddress } from '../address.ts'
import styles from './sharpen.module.css'
import { Verdict } from './verdict.tsx'

type Props = { detail: FlowRunDetail; mayChange: boolean }

/** From the corrected study of a done run to a finer one, by a network of the project that won. */
export function FinerPanel({ detail, mayChange }: Props) {
  const { t } = useTranslation('flow-sharpen')
  const { run, study } = detail
  if (study.head.sharpened)
    return (
      <Panel title={t('finer.title')}>
        <p className={styles.soft}>{t('finer.already')}</p>
      </Panel>
    )
  if (!mayChange) return null
  return (
    <Panel title={t('finer.title')}>
      <div className={styles.stack}>
        <p className={styles.soft}>{t('finer.lead')}</p>
        <Choice runId={run.id} projectId={run.projectId} studyName={study.name} />
      </div>
    </Panel>
  )
}

type ChoiceProps = { runId: string; projectId: string; studyName: string }

function Choice({ projectId, ...rest }: ChoiceProps) {
  const { t } = useTranslation('flow-sharpen')
  const { data, error, refetch } = useCall('flow/sharpeners', { projectId }, { quiet: true })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="rows" count={2} />
  const { sharpeners } = data
  const project = <Link to={`${projectAddress(projectId)}#step-3`}>{t('finer.toTrainings')}</Link>
  if (sharpeners.length === 0)
    return (
      <p>
        {t('finer.none')} {project}
      </p>
    )
  return (
    <>
      <Making projectId={projectId} sharpeners={sharpeners} {...rest} />
      {sharpeners.every(({ wins }) => !wins) && (
        <p>
          {t('finer.noneWon')} {project}
        </p>
      )}
    </>
  )
}

function Making({ runId, projectId, studyName, sharpeners }: ChoiceProps & { sharpeners: FlowSharpener[] }) {
  const { t } = useTranslation('flow-sharpen')
  const id = useId()
  const usable = sharpeners.filter(({ wins }) => wins)
  const [picked, setPicked] = useState<string | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = usable.find(({ trainingId }) => trainingId === picked) ?? usable[0]
  const name = typed ?? nameFor(studyName, chosen?.factor)
  const make = useAction('flow/sharpen', { quiet: true, refresh: ['flow/projectStudies', 'flow/studies'] })
  return (
    <>
      <Networks sharpeners={sharpeners} chosen={chosen?.trainingId ?? null} onChoose={setPicked} />
      {chosen && (
        <>
          <div className={styles.field}>
            <label htmlFor={id}>{t('finer.name')}</label>
            <Input
              id={id}
              className={styles.name ?? ''}
              value={name}
              maxLength={flowLimits.nameLength}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
          <p className={styles.soft}>
            {t('finer.comes', { factor: chosen.factor, grown: chosen.factor ** 3 })}
          </p>
          <div className={styles.actions}>
            <Button
              loading={make.isPending}
              disabled={name.trim() === ''}
              onClick={() => make.mutate({ runId, trainingId: chosen.trainingId, name: name.trim() })}
            >
              {t('finer.make')}
            </Button>
            {make.error && (
              <p className={styles.refused} role="alert">
                <RefusalText error={make.error} />
              </p>
            )}
          </div>
        </>
      )}
      {make.data && (
        <p role="status">
          {t('finer.made', { name: make.data.name })}{' '}
          <Link to={`${projectAddress(projectId)}#step-1`}>{t('finer.toStudies')}</Link>
        </p>
      )}
    </>
  )
}

type NetworksProps = {
  sharpeners: readonly FlowSharpener[]
  chosen: string | null
  onChoose: (trainingId: string) => void
}

/** Those that did not win are seen, with why they are not offered. */
function Networks({ sharpeners, chosen, onChoose }: NetworksProps) {
  const { t } = useTranslation(['flow-sharpen', 'networks', 'runs'])
  const networkOf = ({ network, ownNetwork }: FlowSharpener) =>
    ownNetwork === null
      ? t(`networks:${network}.title`, { defaultValue: network })
      : t('runs:run.ownNetwork', ownNetwork)
  return (
    <Radio.Group
      className={styles.options ?? ''}
      aria-label={t('finer.network')}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {sharpeners.map((sharpener) => (
        <Radio key={sharpener.trainingId} value={sharpener.trainingId} disabled={!sharpener.wins}>
          <span className={styles.option}>
            <span className={styles.label}>
              {t('runs:list.flow_train', { number: sharpener.number })} · {networkOf(sharpener)}
            </span>
            <Verdict gain={sharpener.gain} wins={sharpener.wins} count={sharpener.kept} />
          </span>
        </Radio>
      ))}
    </Radio.Group>
  )
}

/** As the server would call it. */
function nameFor(study: string, factor: number | undefined): string {
  const mark = factor === undefined ? '' : ` ×${factor}`
  return [...study].slice(0, flowLimits.nameLength - mark.length).join('') + mark
}
