import type { OwnNetwork } from '@neuroloom/contract/networks'
import type { Task } from '@neuroloom/contract/task'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import choice from '../../ui/choice.module.css'
import { AdviceChip, ChoiceOption } from '../../ui/choice-option.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './network-choice.module.css'

type Props = {
  task: Task
  chosen: string
  /** The network that the data speak for. */
  suggested: string | null
  /** Of the chosen network with the classes of the data; null while it is not known. */
  chosenParameters: number | null
  /** `name`: of a network of the member's own. */
  onChoose: (network: string, name?: string) => void
}

/** The networks of a task as cards, exactly one chosen: those that come with the product, then the member's own. */
export function NetworkChoice({ task, chosen, suggested, chosenParameters, onChoose }: Props) {
  const { t } = useTranslation(['runs', 'networks'])
  const group = useId()
  const query = useCall('networks/list', { task }, { quiet: true })
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const { networks, own } = query.data
  return (
    <fieldset className={choice.choices}>
      <legend className={choice.legend}>{t('train.network')}</legend>
      <div className={choice.list}>
        {networks.map(({ id, parameters }) => (
          <ChoiceOption
            key={id}
            {...{ group, id }}
            title={t(`networks:${id}.title`)}
            about={<span className={choice.note}>{t(`networks:${id}.about`)}</span>}
            tag={id === suggested ? <AdviceChip text={t('train.suggested')} /> : null}
            foot={<Parameters count={(id === chosen ? chosenParameters : null) ?? parameters} />}
            isChosen={id === chosen}
            onChoose={() => onChoose(id)}
          />
        ))}
      </div>
      {own.length > 0 ? <Own {...{ group, own, chosen, chosenParameters, onChoose }} /> : null}
    </fieldset>
  )
}

/** As many as are looked through at a glance; the others after a click. */
const SHOWN = 6

type OwnProps = Pick<Props, 'chosen' | 'chosenParameters' | 'onChoose'> & {
  group: string
  own: readonly OwnNetwork[]
}

function Own({ group, own, chosen, chosenParameters, onChoose }: OwnProps) {
  const { t } = useTranslation('runs')
  const [isWhole, setWhole] = useState(false)
  const shown = own.filter(({ id }, index) => isWhole || index < SHOWN || id === chosen)
  return (
    <>
      <h4 className={styles.own} id={`${group}-own`}>
        {t('train.ownNetworks')}
      </h4>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset inside the fieldset would part the radio buttons */}
      <div className={choice.list} role="group" aria-labelledby={`${group}-own`}>
        {shown.map(({ id, name, parameters, updatedAt }) => (
          <ChoiceOption
            key={id}
            {...{ group, id }}
            title={name}
            about={
              <span className={choice.note}>
                {t('train.ownChanged', { when: formatDate(updatedAt, 'relative') })}
              </span>
            }
            foot={<Parameters count={(id === chosen ? chosenParameters : null) ?? parameters} />}
            isChosen={id === chosen}
            onChoose={() => onChoose(id, name)}
          />
        ))}
      </div>
      {shown.length < own.length ? (
        <Button type="link" onClick={() => setWhole(true)}>
          {t('train.allOwn', { number: own.length })}
        </Button>
      ) : null}
    </>
  )
}

function Parameters({ count }: { count: number | null }) {
  const { t } = useTranslation('runs')
  if (count === null) return null
  return (
    <span className={styles.size}>{t('train.parameters', { count, value: formatNumber(count, 0) })}</span>
  )
}
