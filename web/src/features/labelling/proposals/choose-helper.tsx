import { sameName } from '@neuroloom/contract/labelling/classes'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { type Order, orders } from '@neuroloom/contract/labelling/next'
import type { Helper, HelperNetwork } from '@neuroloom/contract/labelling/proposals'
import { labelling as limits } from '@neuroloom/contract/limits'
import { Alert, Checkbox, Modal, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './proposals.module.css'

type Props = {
  set: LabelSet
  networks: readonly HelperNetwork[]
  chosen: Helper | null
  onClose: () => void
  onChosen: () => void
}

/** Which network, what its classes are called here, and how one goes on from image to image. */
export function ChooseHelper({ set, networks, chosen, onClose, onChosen }: Props) {
  const { t } = useTranslation('proposals')
  const id = useId()
  const fitting = networks.filter(({ unfit }) => unfit === null)
  const [network, setNetwork] = useState(chosen?.network ?? fitting[0] ?? null)
  const [classes, setClasses] = useState(chosen?.classes ?? (network ? byName(network, set) : []))
  const [order, setOrder] = useState<Order>(chosen?.order ?? 'doubt')
  const [every, setEvery] = useState<number | null>(chosen ? chosen.every : limits.roundEvery.usual)
  const [isSending, setIsSending] = useState(false)
  const pick = (runId: string) => {
    const found = networks.find((one) => one.runId === runId)
    if (!found) return
    setNetwork(found)
    setClasses(byName(found, set))
  }
  const isAny = classes.some((one) => one !== null)
  const keep = async () => {
    if (!network) return
    setIsSending(true)
    const body = { id: set.id, runId: network.runId, classes, order, every }
    const kept = await call('labelling/chooseHelper', body).catch(() => null)
    setIsSending(false)
    if (!kept) return
    onChosen()
    onClose()
  }
  return (
    <Modal
      open
      title={t('choose')}
      okText={t('keep')}
      okButtonProps={{ disabled: !network || !isAny, loading: isSending }}
      onOk={() => void keep()}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {fitting.length === 0 && <Alert type="info" showIcon title={t('noneFit')} />}
        <div className={styles.field}>
          <label htmlFor={`${id}-network`}>{t('network')}</label>
          <Select
            id={`${id}-network`}
            value={network?.runId ?? null}
            onChange={pick}
            options={networks.map((one) => ({
              value: one.runId,
              disabled: one.unfit !== null,
              label: one.unfit ? `${t('chosen', one)} – ${t(`unfit.${one.unfit}`)}` : t('chosen', one),
            }))}
          />
        </div>
        {network?.isReshaped && <Alert type="warning" showIcon title={t('reshaped')} />}
        {network && <Classes set={set} network={network} classes={classes} onChange={setClasses} />}
        <fieldset className={styles.field}>
          <legend>{t('order.title')}</legend>
          <Radio.Group
            vertical
            value={order}
            onChange={({ target }) => setOrder(target.value)}
            options={orders.map((value) => ({ value, label: t(`order.${value}`) }))}
          />
        </fieldset>
        <Checkbox
          checked={every !== null}
          onChange={({ target }) => setEvery(target.checked ? limits.roundEvery.usual : null)}
        >
          {t('again')}
        </Checkbox>
        {every !== null && (
          <div className={styles.field}>
            <label htmlFor={`${id}-every`}>{t('every')}</label>
            <NumberField
              id={`${id}-every`}
              min={1}
              max={limits.roundEvery.most}
              precision={0}
              value={every}
              onChange={(value) => setEvery(value ?? limits.roundEvery.usual)}
            />
          </div>
        )}
        <p className={styles.soft}>{t('asideTold', { share: limits.roundAside })}</p>
      </div>
    </Modal>
  )
}

type ClassesProps = {
  set: LabelSet
  network: HelperNetwork
  classes: readonly (string | null)[]
  onChange: (classes: (string | null)[]) => void
}

/** Those that are called the same are found; the others are asked. */
function Classes({ set, network, classes, onChange }: ClassesProps) {
  const { t } = useTranslation('proposals')
  const fieldId = useId()
  const options = set.classes
    .filter(({ use }) => use === 'class')
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <fieldset className={styles.field}>
      <legend>{t('classes')}</legend>
      {network.classes.map((name, index) =>
        index === 0 && isOfMasks(network) ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: classes of a network have no other key
          <div key={index} className={styles.pair}>
            <label htmlFor={`${fieldId}-${index}`}>{name}</label>
            <Select
              id={`${fieldId}-${index}`}
              allowClear
              placeholder={t('notProposed')}
              value={classes[index] ?? null}
              options={options}
              onChange={(value: string | undefined) =>
                onChange(
                  network.classes.map((_, at) => (at === index ? (value ?? null) : (classes[at] ?? null))),
                )
              }
            />
          </div>
        ),
      )}
      {classes.every((one) => one === null) && <Alert type="warning" showIcon title={t('noneMapped')} />}
    </fieldset>
  )
}

/** Of masks the first class is everything that is not marked. */
const isOfMasks = ({ task }: HelperNetwork): boolean =>
  task === 'segmentation' || task === 'volume_segmentation'

const byName = (network: HelperNetwork, set: LabelSet): (string | null)[] =>
  network.classes.map((name, index) => {
    if (index === 0 && isOfMasks(network)) return null
    const found = set.classes.find((one) => one.use === 'class' && sameName(one.name) === sameName(name))
    return found?.id ?? null
  })
