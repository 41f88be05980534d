import { flowNetworks } from '@neuroloom/contract/flow/sharpen'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import choice from '../../../ui/choice.module.css'
import { ChoiceOption } from '../../../ui/choice-option.tsx'
import styles from './sharpen.module.css'

type Props = { chosen: string; onChoose: (network: string) => void }

/** The networks that come with the product, then the member's own of this task without a mistake. */
export function NetworkPart({ chosen, onChoose }: Props) {
  const { t } = useTranslation(['flow-sharpen', 'networks', 'runs'])
  const group = useId()
  const { data } = useCall('networks/mine', {}, { quiet: true })
  const own = data?.networks.filter(({ task, mistakes }) => task === 'flow' && mistakes === 0) ?? []
  return (
    <fieldset className={choice.choices}>
      <legend className={choice.legend}>{t('form.network')}</legend>
      <div className={choice.list}>
        {flowNetworks.map((id) => (
          <ChoiceOption
            key={id}
            {...{ group, id }}
            title={t(`networks:${id}.title`)}
            about={<span className={choice.note}>{t(`network.${id}`)}</span>}
            isChosen={id === chosen}
            onChoose={() => onChoose(id)}
          />
        ))}
        {own.map(({ id, name, parameters, updatedAt }) => (
          <ChoiceOption
            key={id}
            {...{ group, id }}
            title={name}
            about={
              <span className={choice.note}>
                {t('form.own')} · {t('runs:train.ownChanged', { when: formatDate(updatedAt, 'relative') })}
              </span>
            }
            foot={
              parameters === null ? null : (
                <span className={choice.note}>
                  {t('runs:train.parameters', { count: parameters, value: formatNumber(parameters, 0) })}
                </span>
              )
            }
            isChosen={id === chosen}
            onChoose={() => onChoose(id)}
          />
        ))}
      </div>
      <p className={styles.draw}>
        {t('form.draw')} <Link to="/dripe?template=flow4d">{t('form.toDripe')}</Link>
      </p>
    </fieldset>
  )
}
