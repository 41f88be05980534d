import type { Dataset } from '@neuroloom/contract/datasets'
import { Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { renamed } from './joined-names.ts'
import styles from './masks.module.css'
import { useReadAs } from './use-read-as.ts'

type Props = { dataset: Dataset; onClose: () => void }

/** What the owner calls the classes; models, reports and downloads that are made from then on say it so. */
export function ClassNames({ dataset, onClose }: Props) {
  const { t } = useTranslation(['masks', 'common'])
  const { classes, reading } = dataset
  const classNameOf = useClassName(dataset.task ?? 'segmentation')
  const [names, setNames] = useState<readonly string[]>(() => classes.map(classNameOf))
  const decide = useReadAs(onClose)
  const trimmed = names.map((name) => name.trim())
  const isAlike = new Set(trimmed).size < trimmed.length
  const isEmpty = trimmed.includes('')
  const save = () => {
    const named = classes.map((name, index) => {
      const isKept = trimmed[index] === classNameOf(name)
      return [name, isKept ? name : (trimmed[index] ?? name)] as const
    })
    const classNames = renamed(reading.classNames, named)
    decide.mutate({ id: dataset.id, reading: { ...reading, classNames } })
  }
  return (
    <Modal
      open
      title={t('renameTitle')}
      okText={t('renameSave')}
      cancelText={t('common:cancel')}
      okButtonProps={{ disabled: isAlike || isEmpty, loading: decide.isPending }}
      onOk={save}
      onCancel={onClose}
    >
      <p className={styles.about}>{t('renameAbout')}</p>
      <Form layout="vertical">
        {classes.map((name, index) => (
          <Form.Item key={name} label={classNameOf(name)}>
            <Input
              aria-label={t('nameOf', { name: classNameOf(name) })}
              value={names[index] ?? ''}
              maxLength={100}
              onChange={(event) =>
                setNames(names.map((one, at) => (at === index ? event.target.value : one)))
              }
            />
          </Form.Item>
        ))}
      </Form>
      {isAlike && <p role="alert">{t('alike')}</p>}
    </Modal>
  )
}
