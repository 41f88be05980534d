import type { FlowCorrections } from '@neuroloom/contract/flow/run'
import { Alert, Button, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import choice from '../../../ui/choice.module.css'
import { ChoiceOption } from '../../../ui/choice-option.tsx'
import styles from './compute.module.css'

type Props = { value: FlowCorrections; onChange: (value: FlowCorrections) => void }

const orders = [null, 0, 1, 2, 3] as const

/** Background, unwrapping, and directions where a check has offered to turn them. */
export function CorrectionsPart({ value, onChange }: Props) {
  const { t } = useTranslation('flow-project')
  const id = useId()
  return (
    <>
      <fieldset className={choice.choices}>
        <legend className={choice.legend}>{t('form.offset')}</legend>
        <div className={styles.orderList}>
          {orders.map((order) => (
            <ChoiceOption
              key={order}
              group={`${id}-offset`}
              id={String(order)}
              title={t(`form.offsetOf.${order ?? 'off'}`)}
              about={t(`form.offsetAbout.${order ?? 'off'}`)}
              isChosen={value.offset === order}
              onChoose={() => onChange({ ...value, offset: order })}
            />
          ))}
        </div>
      </fieldset>
      <div className={styles.toggle}>
        <Switch
          id={`${id}-unwrap`}
          aria-describedby={`${id}-unwrap-about`}
          checked={value.unwrap}
          onChange={(unwrap) => onChange({ ...value, unwrap })}
        />
        <div>
          <label htmlFor={`${id}-unwrap`}>{t('form.unwrap')}</label>
          <p id={`${id}-unwrap-about`} className={styles.soft}>
            {t('form.unwrapAbout')}
          </p>
        </div>
      </div>
      {value.turn !== null && (
        <Alert
          type="info"
          showIcon
          title={t('form.turn')}
          action={<Button onClick={() => onChange({ ...value, turn: null })}>{t('form.turnBack')}</Button>}
        />
      )}
    </>
  )
}
